import { describe, expect, test } from 'vitest'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { Problem } from '../../errors.ts'
import { inBatch, type Outcome, writeEach } from './batch.ts'
import type { Context } from '../context.ts'
import type { Mounted } from './handlers.ts'
import { settleItems } from './settle.ts'

const api = withServer()
const base = '/api/core/v1/common/keywords'
const kim = { userId: '1', userName: 'kim', roles: new Set(['user']), permissions: [] }
const schemaVersion = '5.6.0'

interface Record {
  status: string
  action: string
  path?: string
  id?: number
  description?: string
  details?: { itm: { key: string; value: string }[] }
}
const named = (name: string, parentPath?: string) => ({
  name: { itm: [{ value: name }] },
  ...(parentPath && { parentPath }),
})
async function persist(kwd: object[], headers = {}): Promise<Record[]> {
  const reply = await api.post(`${base}/persist`, { schemaVersion, kwds: { kwd } }, { headers })
  expect(reply.status, reply.text).toBe(200)
  return reply.json.responses.response
}
async function perform(action: object[], headers = {}): Promise<Record[]> {
  const all = action.map((one) => ({ dataType: 'keyword', ...one }))
  const reply = await api.post(`${base}/perform`, { schemaVersion, actions: { action: all } }, { headers })
  expect(reply.status, reply.text).toBe(200)
  return reply.json.responses.response
}
const codesOf = (records: Record[]) => records.map(({ details }) => details?.itm[0]!.value)
const exists = async (path: string) => (await api.post(`${base}/retrieve`, { path })).status === 200

/** The rows that `work` adds to history and outbox. */
async function traceOf(work: () => Promise<unknown>) {
  const last = (await api.db.row<{ history: number; outbox: number }>(
    sql`select coalesce((select max(id) from history), 0) as history, coalesce((select max(seq) from outbox), 0) as outbox`,
  ))!
  await work()
  return {
    history: await api.db.rows<{ id: number; action: string; by: string; xmin: string }>(sql`
      select object_id as id, action, user_name as by, xmin::text from history where id > ${last.history} order by id`),
    outbox: await api.db.rows<{ id: number; event: string; xmin: string }>(sql`
      select object_id as id, event, xmin::text from outbox where seq > ${last.outbox} order by seq`),
  }
}

describe('a batch', () => {
  test('returns a record per item, in order, and stores the valid ones', async () => {
    const records = await persist([
      named('One'),
      named('a/b'),
      named('Two', '/One'),
      named('One'),
      named('Three', '/No'),
    ])
    expect(records.map(({ status, path }) => [status, path])).toEqual([
      ['SUCCESS', '/One'],
      ['ERROR', undefined],
      ['SUCCESS', '/One/Two'],
      ['ERROR', undefined],
      ['ERROR', undefined],
    ])
    expect(codesOf(records)).toEqual([undefined, '1001', undefined, '1005', '1002'])
  })

  test('of actions keeps their order, whatever their types', async () => {
    await persist([named('Order'), named('Kept')])
    const to = (destinationParentPath: string) => ({
      meta: { itm: [{ key: 'destinationParentPath', value: destinationParentPath }] },
    })
    const records = await perform([
      { type: 'move', path: '/Order', ...to('/Kept') },
      { type: 'copy', path: '/Kept/Order', ...to('/') },
      { type: 'delete', path: '/Kept' },
      { type: 'move', path: '/Kept/Order', ...to('/') },
      { type: 'explode', path: '/Order' },
      { type: 'delete', path: '/Order' },
    ])
    expect(records.map(({ action, status }) => `${action} ${status}`)).toEqual([
      'move SUCCESS',
      'copy SUCCESS',
      'delete SUCCESS',
      'move ERROR',
      'explode ERROR',
      'delete SUCCESS',
    ])
  })

  test('writes history and outbox for its changes in the same transaction, and nothing for refused items', async () => {
    let records: Record[] = []
    const { history, outbox } = await traceOf(async () => {
      records = await persist([named('Traced'), named('Traced'), named('Below', '/Traced'), named('')])
    })
    const ids = [records[0]!.id, records[2]!.id]
    expect(history.map(({ id, action, by }) => [id, action, by])).toEqual(ids.map((id) => [id, 'create', 'kim']))
    expect(outbox.map(({ id, event }) => [id, event])).toEqual(ids.map((id) => [id, 'CREATE']))
    const rows = await api.db.rows<{ xmin: string }>(sql`select xmin::text from keyword where id = any(${ids})`)
    expect(new Set([...rows, ...history, ...outbox].map(({ xmin }) => xmin)).size).toBe(1)
  })

  test('that changes nothing leaves no trace', async () => {
    expect(await traceOf(() => persist([named('Traced'), named('')]))).toEqual({ history: [], outbox: [] })
  })

  test('costs the same number of statements for 5 items as for 500', async () => {
    const count = async (work: () => Promise<unknown>) => {
      const before = api.statements.length
      await work()
      return api.statements.slice(before).length
    }
    const items = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => (i % 5 === 4 ? named('') : named(`Many ${from + i}`)))
    const deletions = (from: number, to: number) =>
      items(from, to).map((_, i) => ({ type: 'delete', path: `/Many ${from + i}` }))
    const headers = () => ({ 'idempotency-key': `${Math.random()}` })
    expect(await count(() => persist(items(100, 600), headers()))).toBe(
      await count(() => persist(items(0, 5), headers())),
    )
    expect(await count(() => perform(deletions(100, 600)))).toBe(await count(() => perform(deletions(0, 5))))
  })
})

describe('Kontor-Atomic', () => {
  const atomic = { 'kontor-atomic': 'true' }

  test('true stores all or nothing, and the records name the item that was refused', async () => {
    const { history, outbox } = await traceOf(async () => {
      const records = await persist([named('All'), named(''), named('Or', '/All')], atomic)
      expect(codesOf(records)).toEqual(['1009', '1001', '1009'])
      expect(records[0]!.description).toBe('item 2 of the batch was refused')
      expect(records.every(({ status, id }) => status === 'ERROR' && id === undefined)).toBe(true)
    })
    expect([history, outbox]).toEqual([[], []])
    expect(await exists('/All')).toBe(false)
    expect((await persist([named('All'), named('Or', '/All')], atomic)).map(({ status }) => status)).toEqual([
      'SUCCESS',
      'SUCCESS',
    ])
  })

  test('true undoes the actions before the one that was refused', async () => {
    await persist([named('Spared')])
    const records = await perform(
      [
        { type: 'delete', path: '/Spared' },
        { type: 'delete', path: '/Missing' },
      ],
      atomic,
    )
    expect(codesOf(records)).toEqual(['1009', '1002'])
    expect(await exists('/Spared')).toBe(true)
  })

  test('false is the default', async () => {
    expect((await persist([named('Loose'), named('')], { 'kontor-atomic': 'false' }))[0]!.status).toBe('SUCCESS')
  })

  test.each(['yes', '1', 'TRUE', ''])('%j is refused, not read as false', async (value) => {
    const message = { schemaVersion, kwds: { kwd: [named('Unsure')] } }
    const reply = await api.post(`${base}/persist`, message, { headers: { 'kontor-atomic': value } })
    expect(reply.status).toBe(400)
    expect(reply.text).toContain('Kontor-Atomic: expected true or false')
    expect(await exists('/Unsure')).toBe(false)
  })
})

describe('Kontor-Dry-Run', () => {
  const dry = { 'kontor-dry-run': 'true' }
  test.each([
    ['true', 'true'],
    ['false', undefined],
    [undefined, undefined],
  ])('%s is confirmed by the reply as %s', async (asked, confirmed) => {
    const message = { schemaVersion, kwds: { kwd: [named(`Asked ${asked}`)] } }
    const headers = { ...(asked && { 'kontor-dry-run': asked }) }
    const reply = await api.post(`${base}/persist`, message, { headers })
    expect([reply.status, reply.headers['kontor-dry-run']]).toEqual([200, confirmed])
  })

  test.each(['application/json', 'application/xml', 'application/json+compact'])(
    'true is confirmed by the reply of perform too, in %s',
    async (accept) => {
      await persist([named('Stays')])
      const actions = { action: [{ dataType: 'keyword', type: 'delete', path: '/Stays' }] }
      const reply = await api.post(`${base}/perform`, { schemaVersion, actions }, { headers: { ...dry, accept } })
      expect([reply.status, reply.headers['kontor-dry-run']]).toEqual([200, 'true'])
      expect(reply.text).toContain('SUCCESS')
      expect(await exists('/Stays')).toBe(true)
    },
  )

  test('true returns the records of a real call and stores nothing', async () => {
    const { history, outbox } = await traceOf(async () => {
      const records = await persist([named('Maybe'), named(''), named('Below', '/Maybe')], dry)
      expect(records.map(({ status }) => status)).toEqual(['SUCCESS', 'ERROR', 'SUCCESS'])
    })
    expect([history, outbox]).toEqual([[], []])
    expect(await exists('/Maybe')).toBe(false)
  })

  test('a key used for a dry run is still free for the real call', async () => {
    const key = { 'idempotency-key': 'first-dry-then-real' }
    await persist([named('Later')], { ...dry, ...key })
    expect((await persist([named('Later')], key))[0]!.status).toBe('SUCCESS')
    expect(await exists('/Later')).toBe(true)
  })

  test('true with Kontor-Atomic names the item that would refuse the batch', async () => {
    const records = await persist([named('Either'), named('')], { ...dry, 'kontor-atomic': 'true' })
    expect(codesOf(records)).toEqual(['1009', '1001'])
  })

  test('another word is refused, not read as false', async () => {
    const message = { schemaVersion, kwds: { kwd: [named('Wet')] } }
    const reply = await api.post(`${base}/persist`, message, { headers: { 'kontor-dry-run': 'yes' } })
    expect([reply.status, await exists('/Wet')]).toEqual([400, false])
  })
})

describe('a batch that conflicts with another', () => {
  const services = () => ({
    database: api.db,
    config: api.config,
    deletionBlockers: async () => () => undefined,
  })
  const note = (ctx: Context, id: number) => ctx.record({ dataType: 'keyword', id, event: 'UPDATE' })

  test('whose changes are too many for one statement writes them in order and in one transaction', async () => {
    const { history, outbox } = await traceOf(() =>
      inBatch(services(), kim, async ({ record }) => {
        for (let id = 1; id <= 5; id++)
          record({ dataType: 'keyword', id, event: 'UPDATE', changes: { name: { to: 'x'.repeat(2_000_000) } } })
      }),
    )
    expect([history, outbox].map((rows) => rows.map(({ id }) => id))).toEqual([[1, 2, 3, 4, 5], [1, 2, 3, 4, 5]]) // prettier-ignore
    expect(new Set([...history, ...outbox].map(({ xmin }) => xmin)).size).toBe(1)
  })

  test('in a deadlock is repeated, and both take effect once', async () => {
    const ids = (await persist([named('Left'), named('Right')])).map(({ id }) => id!)
    const both = Promise.withResolvers<void>()
    let waiting = 0
    let attempts = 0
    const batch = (order: number[]) =>
      inBatch(services(), kim, async (ctx) => {
        attempts++
        for (const id of order) {
          await ctx.db.run(sql`update keyword set order_number = order_number + 1 where id = ${id}`)
          if (++waiting === 2) both.resolve()
          await both.promise
        }
        note(ctx, order[0]!)
      })
    const before = await api.db.rows<{ n: number }>(sql`select order_number as n from keyword where id = any(${ids})`)
    const { history } = await traceOf(() => Promise.all([batch(ids), batch(ids.toReversed())]))
    const after = await api.db.rows<{ n: number }>(sql`select order_number as n from keyword where id = any(${ids})`)
    expect(attempts).toBeGreaterThanOrEqual(3) // the database may pick a victim twice
    expect(history).toHaveLength(2)
    expect(after.map(({ n }) => n).reduce((a, b) => a + b)).toBe(before.map(({ n }) => n).reduce((a, b) => a + b) + 4)
  })

  const failing = (code: string, times: number) => {
    let attempt = 0
    return inBatch(services(), kim, async (ctx) => {
      note(ctx, 1)
      if (++attempt <= times) throw Object.assign(new Error('race'), { code })
      return attempt
    })
  }
  test('in a conflict leaves history of the last attempt only', async () => {
    const { history } = await traceOf(async () => expect(await failing('40001', 3)).toBe(4))
    expect(history).toHaveLength(1)
  })
  test('repeatedly gives up after five attempts', () => expect(failing('40001', 5)).rejects.toThrow('race'))
  test('is not repeated for any other reason', () => expect(failing('55P03', 1)).rejects.toThrow('race'))
})

describe('writing a set', () => {
  const writeNumbers = async (numbers: number[]) => {
    const refused: [number, string][] = []
    let writes = 0
    await api.db.transaction(async (db) => {
      await db.run(sql`create temp table number (n int unique check (n < 100)) on commit drop`)
      await writeEach(
        db,
        numbers,
        async (db, some) => {
          writes++
          await db.run(sql`insert into number select unnest(${some}::int[])`)
        },
        (n, { code }) => refused.push([n, code]),
      )
      expect(await db.rows(sql`select n from number order by n`)).toEqual(
        [...new Set(numbers)]
          .filter((n) => n < 100)
          .toSorted((a, b) => a - b)
          .map((n) => ({ n })),
      )
    })
    return { refused, writes }
  }

  test('takes one statement if no item violates a constraint', async () => {
    expect(await writeNumbers(Array.from({ length: 64 }, (_, i) => i))).toEqual({ refused: [], writes: 1 })
  })

  test('halves the set until the violating items are isolated; of two conflicting items the first is stored', async () => {
    const { refused, writes } = await writeNumbers([1, 2, 3, 100, 4, 5, 2, 6, 101])
    expect(refused).toEqual([
      [100, '23514'],
      [2, '23505'],
      [101, '23514'],
    ])
    expect(writes).toBeLessThan(20)
  })

  test('rethrows errors that are not constraint violations', async () => {
    await expect(
      api.db.transaction((db) =>
        writeEach(
          db,
          [1],
          async (db) => void (await db.run(sql`select * from nowhere`)),
          () => {},
        ),
      ),
    ).rejects.toThrow('relation "nowhere" does not exist')
  })

  test('of nothing does nothing', () =>
    writeEach(
      api.db,
      [],
      () => Promise.reject(new Error('called')),
      () => {},
    ))
})

test('a handler that forgets an item is a bug, not a short answer', async () => {
  const handlers = { persist: async (): Promise<Outcome[]> => [new Problem('exists', 'x')] }
  const resource = { container: 'kwds', persist: true, dataType: 'keyword' }
  const mounted = { path: '/x', resource, handlers } as unknown as Mounted
  const sent = [1, 2].map(() => ({ container: 'kwds', item: {} }))
  await expect(settleItems({} as Context, mounted, 'persist', sent, false)).rejects.toThrow(
    'kwds: 1 outcomes for 2 items',
  )
})
