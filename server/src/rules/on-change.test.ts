/** Changes that start a rule on change, besides those of the attributes that it reads. */
import { cm } from '@kontor/contract'
import { beforeAll, expect, test } from 'vitest'
import { createModel, jacket, pim, productCalls, schemaVersion, simple, vals } from '../../test/catalogue.ts'
import { callsOf } from '../../test/channels.ts'
import { untilReleased } from '../../test/events.ts'
import { field } from '../../test/search.ts'
import { withServer } from '../../test/server.ts'
import { sql } from '../adapters/postgres/sql.ts'

const api = withServer()
const { persist, retrieve } = productCalls(api)
const at = '/api/v1/rules'
const never = new AbortController().signal
const tick = async () => {
  await untilReleased(api.db)
  await api.app.jobs['rule.tick']!({} as never, never)
}
const work = (id: string) => api.app.jobs['change.run']!({ id } as never, never)

async function saved(name: string, rule: object): Promise<void> {
  const reply = await api.post(`${at}/${name}`, { ...rule, onChange: true }, { method: 'PUT' })
  expect(reply.status, reply.text).toBe(200)
}
const store = async (...products: Parameters<typeof persist>) => {
  for (const { status, description } of await persist(...products)) expect(status, description).toBe('SUCCESS')
}
/** Positions are settled only when no older transaction runs in any database of the server. */
const ticked = async (check: () => Promise<void>) =>
  expect
    .poll(
      async () => {
        await tick()
        for (const { id } of await api.db.rows<{ id: string }>(sql`select id from bulk_change where state = 'running'`)) await work(id) // prettier-ignore
        return check().then(() => 'as expected', String)
      },
      { timeout: 60_000, interval: 100 },
    )
    .toBe('as expected')

beforeAll(async () => {
  await createModel(api)
  await store(jacket('C1'), jacket('R1'), jacket('R2'))
  const attr = [{ nodePath: '/Standard/Jackets', key: 'material', level: 'p', restriction: 'required' }]
  const made = await api.post(
    `${pim}/attributes/persist`,
    { schemaVersion, attrs: { attr } },
    { token: api.adminToken },
  )
  expect(made.text).not.toContain('"ERROR"')
  await callsOf(api, cm, 'channels').persist({ tid: 'shop', type: 'Webshop', name: 'shop' })
})

test('a value that makes a product complete starts a rule about complete products', async () => {
  await saved('Publish', { condition: field('completeness', 'GE', 100), operations: [{ type: 'link', dataType: 'project', to: 'shop' }] }) // prettier-ignore
  await tick()
  await store({ tid: 'C1', ...vals(simple('material', 'Wool')) })
  await ticked(async () => expect(JSON.stringify((await retrieve('C1'))[0].links)).toContain('shop'))
})

test('a relation starts a rule about products with such a relation', async () => {
  const type = await api.post(`${pim}/relation-types/Successor`, { label: { itm: [{ value: 'Successor', loc: 'en_GB' }] } }, { method: 'PUT', token: api.adminToken }) // prettier-ignore
  expect(type.status, type.text).toBe(200)
  await saved('Outdated', { condition: field('products/Successor', 'IS_NOT_EMPTY'), operations: [{ type: 'set', attribute: 'code', values: ['OL1'] }] }) // prettier-ignore
  await tick()
  const itm = [{ key: 'sourceProductTid', value: 'R1' }, { key: 'targetProductTid', value: 'R2' }] // prettier-ignore
  const links = { itms: [{ type: 'productToProduct', itms: [{ type: 'Successor', itm }] }] }
  expect((await api.post('/api/core/v1/common/links/persist', { schemaVersion, links })).text).not.toContain('"ERROR"')
  await ticked(async () => expect(JSON.stringify((await retrieve('R1'))[0].vals)).toContain('OL1'))
})

test('a change behind many others that do not concern a rule starts it at the next look', async () => {
  await saved('Behind', { condition: field('tid', 'EQ', 'R2'), operations: [{ type: 'copy', attribute: 'code', from: 'material' }] }) // prettier-ignore
  const settled = () =>
    expect
      .poll(async () => api.db.rows(sql`select seq from outbox where xid >= pg_snapshot_xmin(pg_current_snapshot())`), {
        timeout: 60_000,
      })
      .toEqual([])
  await settled()
  await tick()
  const [{ id }] = (await api.db.rows<{ id: number }>(sql`select id from product where tid = 'R1'`)) as [{ id: number }]
  await api.db.run(sql`
    insert into outbox (object_id, data_type, event, fields)
    select ${id}, case when n % 2 = 0 then 'product' else 'keyword' end, 'UPDATE', '{vals.weight}'
    from generate_series(1, 60000) as n`)
  await store({ tid: 'R2', ...vals(simple('material', 'AB2')) })
  await settled()
  await tick()
  const [run] = (await api.get(`${at}/Behind/runs`)).json.changes
  await work(run.id)
  expect(JSON.stringify((await retrieve('R2'))[0].vals)).toContain('AB2')
  const rule = sql`select position from rule where name = 'Behind'`
  const before = await api.db.row(rule)
  await api.db.run(sql`insert into outbox (object_id, data_type, event) values (${id}, 'keyword', 'UPDATE')`)
  await settled()
  await tick()
  expect(await api.db.row(rule)).not.toEqual(before)
})
