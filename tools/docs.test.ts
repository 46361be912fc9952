/** The documents made from code are those in the repository, and say what the server says. */
import { globSync } from 'node:fs'
import { areas, openapi } from '@kontor/contract'
import { expect, test } from 'vitest'
import { problems } from '../server/src/errors.ts'
import { generatedDocs, isUpToDate } from './docs.ts'

const generated = await generatedDocs()

test.each(generated)('$file is up to date (npm run docs)', (page) => {
  expect(isUpToDate(page)).toBe(true)
})

// Whose blocks are therefore what the code says; e2e/docs.test.ts runs those of all other pages.
test('every page of docs/reference is made from code', () => {
  const files = new Set(generated.map(({ file }) => file))
  const root = new URL('..', import.meta.url)
  expect(globSync('docs/reference/*', { cwd: root }).filter((file) => !files.has(file))).toEqual([])
})

test('the OpenAPI document fails with the codes and words of the server', () => {
  const known = Object.values(problems).map(({ code, description }) => `${code} ${description}`)
  const { responses } = openapi(areas, { version: '1' }).components
  const told = Object.entries(responses)
    .filter(([name]) => !name.startsWith('search')) // the Search API tells the code alone
    .map(([, { content }]) => {
      const { issues } = content!['application/json']!.example as { issues: { itm: { value: string }[] }[] }
      return issues[0]!.itm.map(({ value }) => value).join(' ')
    })
  expect(told.filter((failure) => !known.includes(failure))).toEqual([])
})
