/** The documents made from code are those in the repository, and say what the server says. */
import { areas, openapi } from '@kontor/contract'
import { expect, test } from 'vitest'
import { problems } from '../server/src/errors.ts'
import { generatedDocs, isUpToDate } from './docs.ts'

test.each(await generatedDocs())('$file is up to date (npm run docs)', (generated) => {
  expect(isUpToDate(generated)).toBe(true)
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
