/** Channels and product extension objects as tests call them, in any of the three formats. */
import { type Area, cm, decode, formats, Pim, schemaVersion, type Type } from '@kontor/contract'
import { expect } from 'vitest'
import { sql } from '../src/adapters/postgres/sql.ts'
import { type Envelope, type FormatName, postIn, type Responses } from './common.ts'
import type { CallOptions, TestServer } from './server.ts'

export const channelsAt = `${cm.base}/channels`
export type Channel = NonNullable<NonNullable<Envelope['projects']>['project']>[number]

/** The calls of a resource of an area. Each must return 200. */
export function callsOf(api: TestServer, area: Area, name: string, format: FormatName = 'json', options?: CallOptions) {
  const resource = area.resources[name]!
  const call = async (verb: string, root: Type, value: object) => {
    const reply = await postIn(api, format, `${area.base}/${name}/${verb}`, root, value, options)
    expect(reply.status, reply.text).toBe(200)
    return reply
  }
  const envelope = async (verb: string, root: Type, value: object): Promise<Envelope> =>
    decode(formats[format], Pim, Buffer.from((await call(verb, root, value)).text)) as Envelope
  const records = async (verb: string, contents: object) =>
    (await envelope(verb, Pim, { schemaVersion, ...contents })).responses!.response as Responses
  return {
    persist: (...objects: object[]) => records('persist', { [resource.container]: { [resource.element]: objects } }),
    perform: (...actions: object[]) =>
      records('perform', { actions: { action: actions.map((one) => ({ dataType: resource.dataType, ...one })) } }),
    retrieve: (request: object) => envelope('retrieve', resource.retrieve!, request),
    query: async (request: object) => {
      const { request: root, reply } = resource.query!
      const answer = await call('query', root, request)
      const spoken = format === 'xml' ? formats.xml : formats.json
      return decode(spoken, reply, Buffer.from(answer.text)) as { tids?: string[] }
    },
  }
}

export const values = (...val: object[]) => ({ vals: { val } })
export const text = (attr: string, value: string, loc?: string) => ({
  attr,
  itm: [{ value, ...(loc !== undefined && { loc }) }],
})

/** Products as rows, in a classification of their own. */
export async function addProducts({ db }: TestServer, vals: Readonly<Record<string, object>>): Promise<number[]> {
  const products = Object.entries(vals).map(([tid, own]) => ({ tid, vals: own }))
  const { id } = (await db.writeRow<{ id: number }>(sql`
    with class as (
      insert into classification (tid, created_by, modified_by) values ('Standard', 'kim', 'kim')
      on conflict (tid) do update set modified_by = 'kim' returning id
    ), old as (select n.id from node n where n.path = '/Standard')
    , made as (
      insert into node (classification_id, tid, path, created_by, modified_by)
      select id, 'Standard', '/Standard', 'kim', 'kim' from class where not exists (select from old) returning id
    )
    select id from old union all select id from made`))!
  const made = await db.writeRows<{ id: number }>(sql`
    insert into product (level, tid, parent_id, node_id, name, vals, created_by, modified_by)
    select 0, p.tid, ${id}, ${id}, p.tid, p.vals, 'kim', 'kim'
    from jsonb_to_recordset(${JSON.stringify(products)}::jsonb) as p (tid text, vals jsonb) returning id`)
  return made.map((row) => row.id)
}
