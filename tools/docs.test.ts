/** The documents generated from code are up to date and agree with the server. */
import { globSync } from 'node:fs'
import { areas, methods, openapi } from '@kontor/contract'
import { expect, test } from 'vitest'
import { problems } from '../server/src/errors.ts'
import { generatedDocs, isUpToDate } from './docs.ts'

const generated = await generatedDocs()

test.each(generated)('$file is up to date (npm run docs)', (page) => {
  expect(isUpToDate(page)).toBe(true)
})

test('the collection of requests has every operation once, with its address, sign-in and a body that can be sent', () => {
  interface Item {
    readonly name: string
    readonly item?: readonly Item[]
    readonly request?: {
      readonly method: string
      readonly auth?: object
      readonly url: {
        readonly raw: string
        readonly path: readonly string[]
        readonly variable?: readonly { key: string }[]
      }
      readonly body?: { readonly mode: string; readonly raw?: string }
    }
  }
  const { text } = generated.find(({ file }) => file.includes('postman'))!
  const requests = (JSON.parse(text) as { item: Item[] }).item.flatMap(({ item = [] }) =>
    item.map((one) => one.request!),
  )
  const { paths } = openapi(areas, { version: '1' })
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) =>
      item[method] ? [`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`] : [],
    ),
  )
  expect(requests.map(({ method, url }) => `${method} /${url.path.join('/')}`).toSorted()).toEqual(
    operations.toSorted(),
  )
  for (const { url, body } of requests) {
    const named = url.path.filter((part) => part.startsWith(':')).map((part) => part.slice(1))
    expect((url.variable ?? []).map(({ key }) => key)).toEqual(expect.arrayContaining(named))
    if (body?.raw !== undefined) JSON.parse(body.raw)
  }
  expect(requests.some(({ auth }) => auth !== undefined)).toBe(true)
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
