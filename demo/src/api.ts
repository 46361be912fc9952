/**
 * The client through which the demo writes: the public interface, called in-process without a network. Any refusal stops
 * the installation with the server's own message, because a half-installed demo helps nobody.
 */
import { schemaVersion } from '@kontor/contract'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface ApiClient {
  call<T = unknown>(path: string, body?: object, method?: Method): Promise<T>
  /** Sends an envelope in batches, in order; the answer is the records of all. */
  persist(path: string, container: string, element: string, items: readonly object[]): Promise<readonly Stored[]>
  /** Performs actions on objects, in batches. Objects that do not exist are skipped. */
  perform(path: string, actions: readonly object[]): Promise<void>
  upload(path: string, tid: string, bytes: Buffer): Promise<void>
}
export interface Stored {
  readonly status: string
  readonly description: string
  readonly id: number
  readonly tid: string
  readonly details?: { readonly itm?: readonly { readonly key?: string; readonly value?: string }[] }
}

const batchSize = 250
const tokenMinutes = 20
/** The error code of an unknown object. */
const notFound = '1002'

/** The user accounts that the demo manages without the interface: an empty system has nobody who could call it. */
export interface DemoUsers {
  find(by: { name: string }): Promise<DemoUser | undefined>
  create(user: { name: string; displayName: string; roles: readonly string[] }): Promise<unknown>
  setRoles(id: string, roles: readonly string[]): Promise<void>
  setEnabled(id: string, enabled: boolean): Promise<void>
}
interface DemoUser {
  readonly id: string
  readonly enabled: boolean
}

/** The server that the demo is installed on. */
export interface Host {
  readonly http: {
    inject(request: {
      method: Method
      url: string
      headers: Record<string, string>
      payload?: string | Buffer
    }): Promise<{ readonly statusCode: number; readonly body: string }>
  }
  readonly users: DemoUsers
  /** An access token of a user. */
  tokenFor(name: string): Promise<string>
}

/** A client that acts as the named user, who must exist but needs no password. */
export function openApi({ http, tokenFor }: Host, userName: string): ApiClient {
  let token = ''
  let until = 0
  const bearer = async () => {
    if (Date.now() < until) return token
    token = await tokenFor(userName)
    until = Date.now() + tokenMinutes * 60_000
    return token
  }
  const inject = async (method: Method, url: string, type: string, payload?: string | Buffer) => {
    const headers = { authorization: `Bearer ${await bearer()}`, accept: 'application/json', 'content-type': type }
    const reply = await http.inject({ method, url, headers, ...(payload !== undefined && { payload }) })
    if (reply.statusCode >= 400) throw new Error(`demo: ${method} ${url}: ${reply.statusCode} ${reply.body}`)
    return (reply.body.startsWith('{') || reply.body.startsWith('[') ? JSON.parse(reply.body) : reply.body) as unknown
  }
  const call: ApiClient['call'] = <T>(path: string, body?: object, method: Method = 'POST') =>
    inject(method, path, 'application/json', body && JSON.stringify(body)) as Promise<T>
  const send = async (path: string, container: string, element: string, items: readonly object[]) => {
    const records: Stored[] = []
    for (let from = 0; from < items.length; from += batchSize) {
      const message = { schemaVersion, [container]: { [element]: items.slice(from, from + batchSize) } }
      const { responses } = await call<{ responses: { response: Stored[] } }>(path, message)
      records.push(...responses.response)
    }
    return records
  }
  return {
    call,
    async persist(path, container, element, items) {
      return requireSuccess(path, await send(`${path}/persist`, container, element, items))
    },
    async perform(path, actions) {
      const records = await send(`${path}/perform`, 'actions', 'action', actions)
      requireSuccess(
        path,
        records.filter(({ details }) => !details?.itm?.some(({ key, value }) => key === 'code' && value === notFound)),
      )
    },
    async upload(path, tid, bytes) {
      const boundary = 'kontor-demo-boundary'
      const part = (name: string, more = '') =>
        `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`
      const params = JSON.stringify({ path, tid, doOverwrite: true })
      const head = `${part('params')}${params}\r\n${part('payload', `; filename="${tid}"`)}`
      const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
      await inject('POST', '/api/core/v1/dam/assets/bin/persist', `multipart/form-data; boundary=${boundary}`, body)
    },
  }
}

function requireSuccess(path: string, records: readonly Stored[]): readonly Stored[] {
  const refused = records.find(({ status }) => status !== 'SUCCESS')
  if (refused) throw new Error(`demo: ${path}: ${refused.tid ?? ''} ${refused.description}`)
  return records
}
