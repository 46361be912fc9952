/** One valid request per operation of the interface and format of its body, from the samples of the OpenAPI document. */
import { areas, openapi } from '@kontor/contract'

export interface Request {
  /** Names the operation in reports. */
  readonly name: string
  readonly method: string
  /** The path with its query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

interface Operation {
  readonly parameters?: readonly { readonly name?: string; readonly in?: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> }
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
const boundary = 'kontor-fuzz'

/** Values of query parameters; the others get `1`. Long polls must not wait. */
const queryValues: Readonly<Record<string, string>> = { wait: '0', timeout: '0', name: 'products.csv', format: 'csv' }

export function contractRequests(parameters: Readonly<Record<string, string>>): Request[] {
  const fill = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[`${path} ${name}`] ?? parameters[name] ?? '4711') // prettier-ignore
  return Object.entries(openapi(areas, { version: '1' }).paths).flatMap(([path, calls]) =>
    methods.flatMap((method) => {
      const operation = (calls as Partial<Record<string, Operation>>)[method]
      if (!operation) return []
      const query = (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name!)
      const search = new URLSearchParams(query.map((name): [string, string] => [name, queryValues[name] ?? '1']))
      const target = fill(path) + (query.length > 0 ? `?${search}` : '')
      const request = { name: `${method.toUpperCase()} ${path}`, method: method.toUpperCase(), target }
      const bodies = Object.entries(operation.requestBody?.content ?? {})
      if (bodies.length === 0) return [{ ...request, headers: {}, body: Buffer.alloc(0) }]
      return bodies.map(([type, { example }]) => ({ ...request, ...bodyOf(type, example) }))
    }),
  )
}

function bodyOf(type: string, example: unknown): Pick<Request, 'headers' | 'body'> {
  if (type === 'multipart/form-data')
    return { headers: { 'content-type': `${type}; boundary=${boundary}` }, body: formOf(example as object) }
  if (example === undefined) return { headers: { 'content-type': type }, body: Buffer.from('tid,name\nP1,Sloop\n') }
  return {
    headers: { 'content-type': type },
    body: Buffer.from(typeof example === 'string' ? example : JSON.stringify(example)),
  }
}

/** One pixel as GIF, and bytes after it. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const image = pixel.toString('latin1') + 'x'.repeat(2000)

function formOf(parts: object): Buffer {
  const texts = Object.entries(parts).map(([name, value]) => {
    const file = name === 'payload' ? `; filename="${value}"` : ''
    const text = name === 'payload' ? image : typeof value === 'object' ? JSON.stringify(value) : value
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`
  })
  return Buffer.from(`${texts.join('')}--${boundary}--\r\n`, 'latin1')
}

const realm = '/auth/realms/kontor'
const openid = `${realm}/protocol/openid-connect`
const asForm = { 'content-type': 'application/x-www-form-urlencoded' }

/** Pages and the OpenID provider, which the contract does not describe. */
// prettier-ignore
const others: readonly [method: string, target: string, body?: string][] = [
  ['GET', '/'], ['GET', '/console/app.js'], ['GET', '/readyz'], ['GET', '/metrics'], ['GET', '/api/docs'],
  ['GET', '/api/openapi.json'], ['GET', '/api/core/v1/schema/pim.xsd'],
  ['GET', `${realm}/.well-known/openid-configuration`], ['GET', `${openid}/certs`], ['GET', `${openid}/userinfo`],
  ['GET', `${openid}/auth?client_id=kontor-console&response_type=code&scope=openid&redirect_uri=http://localhost/`],
  ['POST', `${openid}/auth`, 'client_id=kontor-console&response_type=code&scope=openid'],
  ['POST', `${openid}/token`, 'grant_type=password&client_id=kontor&username=nobody&password=wrong&scope=openid'],
  ['POST', `${openid}/token`, 'grant_type=refresh_token&client_id=kontor&refresh_token=wrong'],
  ['POST', `${openid}/token`, 'grant_type=authorization_code&client_id=kontor&code=wrong&code_verifier=x'],
  ['POST', `${openid}/token/introspect`, 'token=wrong'], ['POST', `${openid}/revoke`, 'token=wrong&client_id=kontor'],
  ['GET', `${openid}/logout?id_token_hint=wrong`], ['POST', `${openid}/logout`, 'id_token_hint=wrong'],
  ['POST', `${openid}/logout/confirm`, 'logout=yes'], ['GET', `${realm}/login/unknown`],
  ['POST', `${realm}/login/unknown`, 'username=nobody&password=wrong'], ['POST', `${realm}/login/unknown/code`, 'code=1'],
  ['GET', `${realm}/password`], ['POST', `${realm}/password`, 'username=nobody&password=wrong&new=wrong'],
]

export const otherRequests = (): Request[] =>
  others.map(([method, target, body = '']) => ({
    name: `${method} ${target.split('?')[0]}`,
    method,
    target,
    headers: body === '' ? {} : asForm,
    body: Buffer.from(body),
  }))
