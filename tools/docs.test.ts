/** The documents generated from code are up to date and agree with the server. */
import { globSync } from 'node:fs'
import { areas, openapi } from '@kontor/contract'
import { expect, test } from 'vitest'
import { problems } from '../server/src/errors.ts'
import { generatedDocs, isUpToDate } from './docs.ts'

const generated = await generatedDocs()

test.each(generated)('$file is up to date (npm run docs)', (page) => {
  expect(isUpToDate(page)).toBe(true)
})

// e2e/docs.test.ts does not run the blocks of these pages, because they come from code.
test('every page of docs/reference is generated', () => {
  const files = new Set(generated.map(({ file }) => file))
  const root = new URL('..', import.meta.url)
  expect(globSync('docs/reference/*', { cwd: root }).filter((file) => !files.has(file))).toEqual([])
})

test('the errors of the OpenAPI document have the codes and descriptions of the server', () => {
  const known = Object.values(problems).map(({ code, description }) => `${code} ${description}`)
  const { responses } = openapi(areas, { version: '1' }).components
  const documented = Object.entries(responses)
    .filter(([name]) => !name.startsWith('search')) // errors of the Search API have no description
    .map(([, { content }]) => {
      const { issues } = content!['application/json']!.example as { issues: { itm: { value: string }[] }[] }
      return issues[0]!.itm.map(({ value }) => value).join(' ')
    })
  expect(documented.filter((error) => !known.includes(error))).toEqual([])
})
