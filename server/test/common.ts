/**
 * The Common area as tests call it: objects and actions in, records out, in any of the three formats.
 *
 *   const glossaries = resourceOf(api, 'glossaries')
 *   const [record] = await glossaries.persist({ name: 'Sailing' })
 */
import { common, decode, encode, formats, type Infer, Pim, schemaVersion, type Type } from '@kontor/contract'
import { expect } from 'vitest'
import { sql } from '../src/adapters/postgres/sql.ts'
import type { CallOptions, Reply, TestServer } from './server.ts'

export type FormatName = keyof typeof formats
export const formatNames: readonly FormatName[] = ['xml', 'json', 'compact']

/**
 * Formats in which the nth call is tested with a status. Success is tested in every format that the call supports. Errors
 * all go through one function of the server, so each is tested in one format, and the formats take turns.
 */
export const formatsFor = (status: number, supported: readonly FormatName[], n: number): readonly FormatName[] =>
  status === 200 ? supported : [supported[n % supported.length]!]

type ResourceName = keyof typeof common.resources
export type Envelope = Infer<typeof Pim>
type Sent = NonNullable<NonNullable<Envelope['responses']>['response']>[number]
/** Records as tests read them, untyped: a test knows what it sent. */
export type Response = Required<Sent> & { id: number }
export type Responses = Response[] & [Response, Response, Response]

export const addressOf = (name: ResourceName) => `${common.base}/${name}`

/** Posts a value in a format and requests the reply in the same format. */
export function postIn(
  api: TestServer,
  format: FormatName,
  path: string,
  root: Type,
  value: object,
  options: CallOptions = {},
): Promise<Reply> {
  const { contentType: type, mediaType: accept } = formats[format]
  return api.post(path, encode(formats[format], root, value), { type, accept, ...options })
}

/** The calls of a resource. Each must return 200; the records have the outcome of the items. */
export function resourceOf(api: TestServer, name: ResourceName, format: FormatName = 'json', options?: CallOptions) {
  const { container, element, ...resource } = common.resources[name]
  const call = async (verb: string, root: Type, value: object): Promise<Envelope> => {
    const reply = await postIn(api, format, `${addressOf(name)}/${verb}`, root, value, options)
    expect(reply.status, reply.text).toBe(200)
    expect(reply.headers['content-type']).toBe(formats[format].contentType)
    return decode(formats[format], Pim, Buffer.from(reply.text)) as Envelope
  }
  const records = async (verb: string, contents: object) =>
    (await call(verb, Pim, { schemaVersion, ...contents })).responses!.response as Responses
  return {
    persist: (...objects: object[]) => records('persist', { [container]: { [element]: objects } }),
    perform: (...actions: object[]) =>
      records('perform', { actions: { action: actions.map((one) => ({ dataType: resource.dataType, ...one })) } }),
    retrieve: (request: object = {}) => call('retrieve', (resource as { retrieve: Type }).retrieve, request),
  }
}

export const itemsOf = (values: Readonly<Record<string, string>>) => ({
  itm: Object.entries(values).map(([key, value]) => ({ value, key })),
})
/** `meta` from keys and values. */
export const meta = (values: Readonly<Record<string, string>>) => ({ meta: itemsOf(values) })

/** A keyword with this technical name. */
export const keyword = (name: string, parentPath?: string) => ({
  name: { itm: [{ value: name }] },
  ...(parentPath !== undefined && { parentPath }),
})

export const statuses = (records: readonly Response[]) => records.map(({ status }) => status)
/** The description of each refused item, and SUCCESS for the others. */
export const outcomes = (records: readonly Response[]) =>
  records.map(({ status, description }) => (status === 'SUCCESS' ? status : description))
export const codes = (records: readonly Response[]) =>
  records.map(({ details }) => details?.itm?.find(({ key }) => key === 'code')?.value)

/** The history and outbox that `work` writes, in order. */
export async function changesBy(api: TestServer, work: () => Promise<unknown>) {
  const last = async () =>
    (await api.db.row<{ id: number; seq: number }>(sql`
      select (select coalesce(max(id), 0) from history) as id, (select coalesce(max(seq), 0) from outbox) as seq`))!
  const before = await last()
  await work()
  return {
    history: await api.db.rows<{ id: number; dataType: string; action: string; user: string; changes: object }>(sql`
      select object_id as id, data_type as "dataType", action, user_name as user, changes
      from history where id > ${before.id} order by history.id`),
    outbox: await api.db.rows<{ id: number; dataType: string; event: string }>(sql`
      select object_id as id, data_type as "dataType", event from outbox where seq > ${before.seq} order by seq`),
  }
}

/** The number of statements that `work` sends, without the occasional check of its session. */
export async function statementsOf(api: TestServer, work: () => Promise<unknown>): Promise<number> {
  const before = api.statements.length
  await work()
  return api.statements.slice(before).filter((text) => !text.includes('session')).length
}
