import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bugs } from './bugs.ts'
import { points } from './points.ts'

const timesIn = (file: string, text: string) =>
  readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split(text).length - 1

describe('the places of bugs and fail points', () => {
  test.each(Object.entries(bugs))('%s: each text is in its file exactly once', (_, { patches }) => {
    for (const { file, find } of patches) expect([find, timesIn(file, find)]).toEqual([find, 1])
  })
  test.each(Object.entries(points))('%s is in its file exactly once', (_, { file, find }) =>
    expect(timesIn(file, find)).toBe(1),
  )
  test('there are at least thirty bugs', () => expect(Object.keys(bugs).length).toBeGreaterThanOrEqual(30))
})
