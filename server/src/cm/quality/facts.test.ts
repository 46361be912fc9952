/** The work of the statements about quality. */
import { beforeAll, expect, test } from 'vitest'
import { addProducts } from '../../../test/channels.ts'
import { withServer } from '../../../test/server.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { type Sql, sql } from '../../adapters/postgres/sql.ts'
import { findAlike, findFacts } from './facts.sql.ts'

const api = withServer()
const count = 3000
const everything = [{ kind: '*', actions: ['read'] }]
const narrow = [{ kind: 'product', actions: ['read'], scopes: { node: ['/Elsewhere'] } }]
let ids: number[] = []

beforeAll(async () => {
  await addProducts(api, Object.fromEntries(Array.from({ length: count }, (_, i) => [`same-${i}`, {}])))
  // names in one category differ: by punctuation, which the key of a name leaves out
  await api.db.run(sql`
    update product set name = 'New product' || translate(split_part(tid, '-', 2), '0123456789', '!?.,;:-+*/') where tid like 'same-%'`)
  await api.db.run(sql`
    insert into identifier_value (attribute, value, product_id) select 'ean', '0', id from product where tid like 'same-%'`)
  await api.db.run(sql`analyze`)
  const found = await api.db.rows<{ id: number }>(
    sql`select id from product where tid like 'same-%' order by id limit 10`,
  )
  ids = found.map(({ id }) => id)
})

interface Plan {
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}
const rowsIn = (plan: Plan): number =>
  (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] +
  (plan.Plans ?? []).reduce((sum, one) => sum + rowsIn(one), 0)

/** How many rows the nodes of the plan of a statement handle. */
async function workOf(run: (db: Db) => Promise<unknown>): Promise<number> {
  let work = 0
  const rows = async (statement: Sql) => {
    const [plan] = await api.db.rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      sql`explain (analyze, format json) ${statement}`,
    )
    work += rowsIn(plan!['QUERY PLAN'][0].Plan)
    return []
  }
  await run({ ...api.db, rows } as never)
  return work
}

test('many products with one name or identifier cost a bounded number of rows each, not all of them', async () => {
  expect((await findFacts(api.db, ids, everything))[0]).toMatchObject({ alike: ids.slice(1, 6).map((id) => ({ id })) })
  expect(await workOf((db) => findAlike(db, ids))).toBeLessThan(200 * ids.length)
  expect(await workOf((db) => findFacts(db, ids, everything))).toBeLessThan(300 * ids.length)
  expect(await workOf((db) => findFacts(db, ids, narrow))).toBeLessThan(10_000 * ids.length)
})
