/**
 * The server accepts every sample request of the OpenAPI document, in each of its formats.
 *
 * The objects in them need not exist, but a request copied from the reference must never be refused for its form.
 */
import { areas, openapi } from '@kontor/contract'
import { expect, test } from 'vitest'
import { withServer } from './server.ts'

const api = withServer()

interface Sample {
  readonly method: 'POST' | 'PUT' | 'PATCH'
  readonly path: string
  readonly contentType: string
  readonly body: string
}

/** Samples of text bodies; files have none. */
const samples: Sample[] = Object.entries(openapi(areas, { version: '1' }).paths).flatMap(([path, calls]) =>
  (['POST', 'PUT', 'PATCH'] as const).flatMap((method) => {
    const { content = {} } =
      (calls as Record<string, { requestBody?: { content: object } }>)[method.toLowerCase()]?.requestBody ?? {}
    return Object.entries(content as Record<string, { example?: unknown }>)
      .filter(([type]) => /^application\/(json|xml)/.test(type))
      .map(([contentType, { example }]) => ({
        method,
        path,
        contentType,
        body: typeof example === 'string' ? example : JSON.stringify(example),
      }))
  }),
)

test('there are samples', () => expect(samples.length).toBeGreaterThan(200))

test('the samples of persist fit together: in this order all of them are stored', async () => {
  const fresh = ['attribute-definitions', 'classes', 'nodes', 'attributes', 'products'].map((name) => `pim/${name}`)
  const others = ['cm/channels', 'peo/admin/templates', 'peo/peos', 'common/keywords', 'dam/dirs', 'common/glossaries', 'common/glossaryEntries'] // prettier-ignore
  for (const name of [...fresh, ...others]) {
    const path = `/api/core/v1/${name}/persist`
    const { body } = samples.find((sample) => sample.path === path && sample.contentType === 'application/json')!
    const { json, text } = await api.post(path, body, { token: api.adminToken })
    const refused = json.responses.response.filter(({ status }: { status: string }) => status !== 'SUCCESS')
    expect(refused, text).toEqual([])
  }
})

/** Calls that are refused because the sample cannot contain a secret. */
const secret = ['/api/v1/identity/me/password', '/api/v1/identity/me/two-factor/remove']
/** Calls that are refused because the categories of the samples have no attributes that span variations. */
const axes = ['/api/core/v1/pim/variation-axes/persist', '/api/core/v1/pim/products/combinations/retrieve', '/api/core/v1/pim/products/combinations/persist'] // prettier-ignore
const understood = samples.filter(({ path }) => ![...secret, ...axes].includes(path))

/** Codes 1000 and 1001, of the call or of a record: a bug or an invalid message. */
const fault = /"code"[:>]"?100[01]\b|"100[01]","key":"code"/

test.each(understood)('$method $path as $contentType', async ({ method, path, contentType, body }) => {
  const url = path
    .replace('{name}', 'boats')
    .replace('{locale}', 'en_GB')
    .replaceAll(/\{\w+\}/g, '4711')
  const { status, text } = await api.post(url, body, { method, type: contentType, token: api.adminToken })
  expect(status, text).not.toBe(400)
  expect(text).not.toMatch(fault)
})
