/**
 * How the demo gets in: by the interface, like everybody else, without a network in between. Whatever is refused ends it
 * with the server's own words, because a demo that is half there helps nobody.
 */
import { schemaVersion } from '@kontor/contract'
import type { FastifyInstance } from 'fastify'
import type { Identity } from '../identity/module.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Door {
  call<T = unknown>(path: string, body?: object, method?: Method): Promise<T>
  /** Sends an envelope in batches, in order; the answer is the records of all. */
  persist(path: string, container: string, element: string, items: readonly object[]): Promise<readonly Stored[]>
  /** Acts on objects, in batches. What is not there need not be acted on. */
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
/** The code of what is not there. */
const notFound = '1002'

export interface Host {
  readonly http: FastifyInstance
  readonly identity: Pick<Identity, 'users' | 'issueTokens'>
}

/** The door as the named user, who must exist and need not have a password. */
export function openDoor({ http, identity }: Host, userName: string): Door {
  let token = ''
  let until = 0
  const bearer = async () => {
    if (Date.now() < until) return token
    const user = await identity.users.find({ name: userName })
    if (!user) throw new Error(`the demo needs the user ${userName}, who is not there`)
    token = (await identity.issueTokens(user)).access_token
    until = Date.now() + tokenMinutes * 60_000
    return token
  }
  const inject = async (method: Method, url: string, type: string, payload?: string | Buffer) => {
    const headers = { authorization: `Bearer ${await bearer()}`, accept: 'application/json', 'content-type': type }
    const reply = await http.inject({ method, url, headers, ...(payload !== undefined && { payload }) })
    if (reply.statusCode >= 400) throw new Error(`demo: ${method} ${url}: ${reply.statusCode} ${reply.body}`)
    return (reply.body.startsWith('{') || reply.body.startsWith('[') ? JSON.parse(reply.body) : reply.body) as unknown
  }
  const call: Door['call'] = <T>(path: string, body?: object, method: Method = 'POST') =>
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
      return sound(path, await send(`${path}/persist`, container, element, items))
    },
    async perform(path, actions) {
      const records = await send(`${path}/perform`, 'actions', 'action', actions)
      sound(
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

function sound(path: string, records: readonly Stored[]): readonly Stored[] {
  const refused = records.find(({ status }) => status !== 'SUCCESS')
  if (refused) throw new Error(`demo: ${path}: ${refused.tid ?? ''} ${refused.description}`)
  return records
}
