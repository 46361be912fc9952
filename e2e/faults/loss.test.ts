import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { losePower } from './loss.ts'

const folder = mkdtempSync(join(tmpdir(), 'kontor-loss-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const path = (name: string) => join(folder, 'files', name)

/** Files with these names, and a journal with these events; returns the names that are left, with their sizes. */
function lose(names: readonly string[], ...events: string[][]): Record<string, number | undefined> {
  mkdirSync(join(folder, 'files', 'new'), { recursive: true })
  for (const name of names) writeFileSync(path(name), 'bytes')
  const toLine = ([event, ...of]: string[]) => JSON.stringify([event, ...of.map((name) => path(name))])
  writeFileSync(join(folder, 'journal'), events.map((event) => `${toLine(event)}\n`).join(''))
  losePower(join(folder, 'journal'))
  return Object.fromEntries(
    names.map((name) => [name, existsSync(path(name)) ? readFileSync(path(name)).length : undefined]),
  )
}

test('a file that was synced and whose folder was synced survives', () =>
  expect(
    lose(['a'], ['create', 'tmp'], ['write', 'tmp'], ['sync', 'tmp'], ['rename', 'tmp', 'a'], ['sync', '.']),
  ).toEqual({
    a: 5,
  }))
test('bytes that were not synced before the rename are lost', () =>
  expect(lose(['a'], ['write', 'tmp'], ['rename', 'tmp', 'a'], ['sync', '.'])).toEqual({ a: 0 }))
test('a name in a folder that was not synced is lost', () =>
  expect(lose(['a'], ['write', 'tmp'], ['sync', 'tmp'], ['rename', 'tmp', 'a'])).toEqual({ a: undefined }))
test('a folder that was not synced into its parent is lost with its files', () =>
  expect(lose(['new/a'], ['create', 'new'], ['write', 'new/a'], ['sync', 'new/a'], ['sync', 'new'])).toEqual({
    'new/a': undefined,
  }))
