/**
 * A receiver that applies every export of a series has a copy of the source: nothing is missed, nothing is sent twice.
 * Changes of every kind and exports are made in random order, some of them at the same time.
 */
import { cm, common } from '@kontor/contract'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createModel, jacket, meta, pim, productCalls, schemaVersion, simple, vals } from '../../test/catalogue.ts'
import { callsOf } from '../../test/channels.ts'
import { damCalls } from '../../test/dam.ts'
import { upload } from '../../test/files.ts'
import { withServer } from '../../test/server.ts'
import { type Sql, sql } from '../adapters/postgres/sql.ts'

const api = withServer()
const at = '/api/v1/transfers'
const { persist, perform } = productCalls(api)
const dam = damCalls(api)
const channels = () => callsOf(api, cm, 'channels')
const selection = { nodePaths: ['/Standard/Jackets'] }
const force = meta({ force: 'true' })

beforeAll(async () => {
  await createModel(api)
  await api.startWorker()
  await dam.persistDirs({ tid: 'PICTURES', rnc: 'MAM', name: 'pictures' })
  await dam.createPath('/MAM/other')
})

interface Shown {
  readonly id: string
  readonly state: string
  readonly total: number
  readonly deleted: number
  readonly endedAt: string
  readonly problem?: string
}
const ended = (id: string, token = api.token): Promise<Shown> =>
  vi.waitFor(
    async () => {
      const now: Shown = (await api.get(`${at}/${id}`, { token })).json
      expect(['finished', 'cancelled', 'failed'], now.problem).toContain(now.state)
      return now
    },
    { timeout: 60_000, interval: 20 },
  )
const order = async (body: object): Promise<string> => {
  const reply = await api.post(`${at}/exports`, body)
  expect(reply.status, reply.text).toBe(200)
  return reply.json.id
}
const fileOf = async (id: string) => {
  expect(await ended(id)).toMatchObject({ state: 'finished' })
  return (await api.get(`${at}/${id}/file`)).text
}
const exported = async (body: object) => fileOf(await order(body))

/** The tids of products and deletions. */
const namesIn = (text: string): string[] =>
  text.split('\n').filter(Boolean).map((line) => JSON.parse(line)).map(({ tid, deletion }) => tid ?? `no ${deletion.tid}`) // prettier-ignore

/** Items may be refused, which leaves everything as it was; calls may not. */
async function send(path: string, body: object, token = api.token): Promise<void> {
  const reply = await api.post(path, { schemaVersion, ...body }, { token })
  expect(reply.status, reply.text).toBe(200)
}
const link = (kind: string, type: string, ends: Record<string, string>) =>
  send(`${common.base}/links/persist`, { links: { itms: [{ type: kind, itms: [{ type, ...meta(ends).meta }] }] } })
const unlink = (kind: string, ends: Record<string, string>) =>
  send(`${common.base}/links/actions/perform`, {
    actions: { action: [{ dataType: `${kind}Link`, type: 'unlink', ...meta(ends) }] },
  })
const asAdmin = (path: string, body: object) => send(`${pim}/${path}/persist`, body, api.adminToken)
/** Its import is a change, too: it must not end in the middle of a later export. */
const putPicture = (tid: string, bytes: string) =>
  upload(api, { path: `/MAM/pictures/${tid}.txt`, tid, doOverwrite: true, doPreviewsAsync: false }, bytes)

interface Pick {
  /** A product, another one, and some text. */
  readonly p: string
  readonly q: string
  readonly text: string
}
const ids = Array.from({ length: 6 }, (_, i) => String(i))

/** One change of every kind that an export can show, and some that it cannot. */
const changes: Readonly<Record<string, (pick: Pick) => Promise<unknown>>> = {
  'a new or changed product': ({ p, text }) => persist(jacket(p, { ...vals(simple('material', text)) })),
  'a product without a change': ({ p }) => persist({ tid: p }),
  'a name': ({ p, text }) => persist({ tid: p, name: `${p} ${text}` }),
  'a translation': ({ p, text }) =>
    persist({ tid: p, ...vals({ attr: 'caption', itm: [{ value: text, loc: 'de_DE' }] }) }),
  'a cleared value': ({ p }) => persist({ tid: p, ...vals({ attr: 'material' }) }),
  'an article with a variation': ({ p, text }) =>
    persist(
      jacket(p, {
        articles: {
          article: [
            {
              tid: `${p}a`,
              name: text,
              variants: { variant: [{ tid: `${p}v`, name: text, ...vals(simple('color', 'red')) }] },
            },
          ],
        },
      }),
    ),
  'a product that leaves the selection': ({ p }) =>
    persist({ tid: p, node: '/Standard/Boots', ...vals(simple('code', 'AB1')) }),
  'a product that moves within it': ({ p }) => persist({ tid: p, node: '/Standard/Jackets' }),
  'a copy': ({ p }) => perform({ type: 'copy', tid: p }),
  'a deletion': ({ p }) => perform({ type: 'delete', tid: p, ...force }),
  'a picture': ({ p, q }) => link('assetToProduct', 'Main_Image', { assetTid: `pic${q}`, productTid: p }),
  'a picture less': ({ p, q }) => unlink('assetToProduct', { assetTid: `pic${q}`, productTid: p }),
  'another file of a picture': ({ q, text }) => putPicture(`pic${q}`, text),
  'a picture in another directory': ({ q }) =>
    dam.performAssets({ type: 'move', tid: `pic${q}`, ...meta({ destinationDirPath: '/MAM/other' }) }),
  'another name of a directory': ({ text }) =>
    dam.persistDirs({ tid: 'PICTURES', rnc: 'MAM', name: text.length > 2 ? 'pictures' : 'images' }),
  'a deleted picture': ({ q }) => dam.performAssets({ type: 'delete', tid: `pic${q}`, ...force }),
  'an accessory': ({ p, q }) => link('productToProduct', 'Accessory', { sourceProductTid: p, targetProductTid: q }),
  'a place in a channel': ({ p, q }) => link('productToProject', '', { productTid: p, projectTid: `channel${q}` }),
  'a place less': ({ p, q }) => unlink('productToProject', { productTid: p, projectTid: `channel${q}` }),
  'a new channel': ({ q }) => channels().persist({ tid: `channel${q}`, name: `channel${q}`, type: 'Webshop' }),
  'a deleted channel': ({ q }) =>
    callsOf(api, cm, 'channels/actions').perform({ type: 'delete', tid: `channel${q}`, ...force }),
  'a default of a category': ({ text }) =>
    asAdmin('attributes', {
      attrs: {
        attr: [{ nodePath: '/Standard', key: 'weight', defaultVal: { itm: [{ value: String(text.length) }] } }],
      },
    }),
  'a label of a value': ({ text }) =>
    asAdmin('attribute-definitions', { attrDefs: { attrDef: [{ tid: 'color', type: 'text', domainVals: { domainVal: [{ tid: 'red', itm: [{ value: `Red ${text}`, loc: 'en_GB' }] }] } }] } }), // prettier-ignore
  'a moved category': ({ text }) =>
    asAdmin('nodes', { nodes: { node: [{ path: '/Standard/Jackets/Rain', tid: text.length > 2 ? 'Rain' : 'Wet' }] } }),
}
/** The message of a product does not show them, but the file that belongs to it changes. */
const areUnseen = (kind: string) => /picture|directory/.test(kind)

/** Applies exports, and complains about what it had already. */
function createReceiver() {
  const copy = new Map<string, string>()
  const apply = (text: string, mayRepeat: boolean) => {
    for (const line of text.split('\n').filter(Boolean)) {
      const { tid, deletion } = JSON.parse(line)
      if (deletion) expect(copy.delete(deletion.tid), `${deletion.tid} was not there`).toBe(true)
      else {
        if (!mayRepeat) expect(copy.get(tid), 'nothing is sent twice').not.toBe(line)
        copy.set(tid, line)
      }
    }
  }
  return { apply, lines: () => [...copy.values()].toSorted() }
}

const pick = fc.record({
  p: fc.constantFrom(...ids),
  q: fc.constantFrom(...ids),
  text: fc.constantFrom('x', 'yy', 'zzz', 'four'),
})
const change = fc.record({ kind: fc.constantFrom(...Object.keys(changes)), pick })
const ways = ['one', 'empty second', 'during a transaction', 'beside a change', 'two at once', 'cancelled'] as const
const step = fc.oneof(
  { weight: 3, arbitrary: change },
  { weight: 1, arbitrary: fc.record({ way: fc.constantFrom(...ways), change }) },
)

/** Holds a lock, so that others stop at their next statement about the table. Returns how to release it. */
async function hold(lock: Sql): Promise<() => Promise<void>> {
  const over = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holding = api.db.transaction(async (db) => {
    await db.lock(lock)
    locked.resolve()
    await over.promise
  })
  await locked.promise
  return () => (over.resolve(), holding)
}
const isWaitedFor = (table: string) =>
  vi.waitUntil(
    async () => (await api.db.rows(sql`select from pg_locks where relation = ${table}::regclass and not granted`)).length > 0, // prettier-ignore
    { timeout: 60_000, interval: 5 },
  )

/** Orders the exports of the step and returns those that have finished. */
const orders: Record<(typeof ways)[number], (body: object, work: () => Promise<unknown>) => Promise<string[]>> = {
  one: async (body) => [await order(body)],
  async 'empty second'(body) {
    const first = await order(body)
    await ended(first)
    return [first, await order(body)]
  },
  /** The last statement of a change waits, so its transaction runs during the whole export. */
  async 'during a transaction'(body, work) {
    const release = await hold(sql`lock table history in share mode`)
    const changed = work()
    const id = await order(body)
    await ended(id).finally(release)
    await changed
    return [id]
  },
  /** The change is committed after the products were selected, and before they are written. */
  async 'beside a change'(body, work) {
    const release = await hold(sql`lock table transfer_piece in exclusive mode`)
    const id = await order(body)
    await isWaitedFor('transfer_piece')
    await work().finally(release)
    return [id]
  },
  'two at once': async (body) => Promise.all([order(body), order(body)]),
  async cancelled(body) {
    const id = await order(body)
    await api.post(`${at}/${id}/cancel`)
    return (await ended(id)).state === 'finished' ? [id] : []
  },
}

test(
  'a receiver has everything and gets nothing twice, whatever changes at whatever time',
  { timeout: 600_000 },
  async () => {
    for (const q of ids) await putPicture(`pic${q}`, `picture ${q}`)
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
        const body = { format: 'jsonl', ...selection, series: `shop ${++run}` }
        const receiver = createReceiver()
        let mayRepeat = false
        for (const one of steps) {
          if ('kind' in one) {
            await changes[one.kind]!(one.pick)
            mayRepeat ||= areUnseen(one.kind)
            continue
          }
          // The change may take back what the products were selected for.
          mayRepeat ||= one.way === 'beside a change'
          const found = await orders[one.way](body, () => changes[one.change.kind]!(one.change.pick))
          const done = await Promise.all(found.map((id) => ended(id)))
          for (const { id } of done.toSorted((a, b) => (a.endedAt < b.endedAt ? -1 : 1))) {
            receiver.apply(await fileOf(id), mayRepeat)
            mayRepeat = areUnseen(one.change.kind) && /transaction|change/.test(one.way)
          }
        }
        receiver.apply(await exported(body), mayRepeat)
        const whole = await exported({ format: 'jsonl', ...selection })
        expect(receiver.lines()).toEqual(whole.split('\n').filter(Boolean).toSorted())
        expect(await exported(body), 'nothing has changed').toBe('')
      }),
      { numRuns: 12, endOnFailure: true },
    )
  },
)

test('every kind of change is in the next export, and only there', async () => {
  const body = { format: 'jsonl', tids: ['A', 'B'], series: 'kinds' }
  const delta = async () => namesIn(await exported(body))
  await persist(jacket('A'), jacket('B'))
  await dam.persistDirs({ tid: 'PICTURES', rnc: 'MAM', name: 'pictures' })
  await putPicture('picB', 'first')
  expect(await delta()).toEqual(['A', 'B'])
  const steps: [kind: string, expected: string[]][] = [
    ['a new or changed product', ['A']],
    ['a product without a change', []],
    ['a name', ['A']],
    ['a translation', ['A']],
    ['a cleared value', ['A']],
    ['an article with a variation', ['A']],
    ['a picture', ['A']],
    ['another file of a picture', ['A']],
    ['another name of a directory', ['A']],
    ['a picture in another directory', ['A']],
    ['a picture less', ['A']],
    ['a picture', ['A']],
    ['a deleted picture', ['A']],
    ['a new channel', []],
    ['a place in a channel', ['A']],
    ['a place less', ['A']],
    ['a place in a channel', ['A']],
    ['a deleted channel', ['A']],
    ['a default of a category', ['A', 'B']],
    ['a label of a value', ['A']],
    ['an accessory', ['A']],
    ['a deletion', ['A', 'no B']],
    ['a product that leaves the selection', ['A']],
    ['a moved category', []],
  ]
  for (const [kind, expected] of steps) {
    const p = kind === 'a deletion' ? 'B' : 'A'
    await changes[kind]!({ p, q: 'B', text: kind === 'another name of a directory' ? 'x' : 'seven' })
    expect([kind, await delta()]).toEqual([kind, expected])
    expect([kind, await delta()]).toEqual([kind, []])
  }
})

describe('a series', () => {
  const body = { format: 'jsonl', tids: ['S1', 'S2', 'S3'], series: 'named' }
  const delta = async (more: object = {}) => namesIn(await exported({ ...body, ...more }))
  beforeAll(async () => {
    await persist(...body.tids.map((tid) => jacket(tid)))
    expect(await delta()).toEqual(body.tids)
  })

  test('of named products has their deletions, and says how many', async () => {
    await perform({ type: 'delete', tid: 'S3' })
    const id = await order(body)
    expect(await ended(id)).toMatchObject({ total: 0, deleted: 1, series: 'named' })
    expect(namesIn(await fileOf(id))).toEqual(['no S3'])
    expect(await delta()).toEqual([])
  })

  test('that was left for longer than the outbox is kept compares everything, and repeats nothing', async () => {
    await persist({ tid: 'S2', name: 'Changed long ago' })
    await api.db.run(sql`delete from outbox`)
    await api.db.run(sql`update outbox_floor set xid = pg_current_xact_id()`)
    expect(await delta()).toEqual(['S2'])
    expect(await delta()).toEqual([])
  })

  test('of a database that was restored compares everything', async () => {
    await persist({ tid: 'S1', name: 'Changed before the restore' })
    await api.db.run(sql`delete from outbox`)
    await api.db.run(sql`update transfer_series set xid = null`)
    expect(await delta()).toEqual(['S1'])
  })

  test('of a category that was deleted or renamed fails with the reason, and continues when it is chosen again', async () => {
    const node = (tid: string, more: object = {}) =>
      asAdmin('nodes', { nodes: { node: [{ ...more, tid, name: { itm: [{ value: tid, loc: 'en_GB' }] } }] } })
    await node('Brief', { parentPath: '/Standard/Jackets' })
    await persist(jacket('inBrief', { node: '/Standard/Jackets/Brief' }))
    const of = (tid: string) => ({ format: 'jsonl', nodePaths: [`/Standard/Jackets/${tid}`], series: 'brief' })
    expect(namesIn(await exported(of('Brief')))).toEqual(['inBrief'])
    await node('Renamed', { path: '/Standard/Jackets/Brief' })
    const failed = await ended(await order(of('Brief')))
    expect(failed).toMatchObject({ state: 'failed', problem: expect.stringContaining('no node has the path /Standard/Jackets/Brief: the category was deleted, renamed or moved') }) // prettier-ignore
    expect(namesIn(await exported(of('Renamed')))).not.toContain('no inBrief')
    await perform({ type: 'delete', tid: 'inBrief', ...force })
    expect(namesIn(await exported(of('Renamed')))).toEqual(['no inBrief'])
  })

  test('sends everything again when other columns are asked for', async () => {
    expect(await delta({ columns: ['tid', 'name'] })).toEqual(['S1', 'S2'])
    expect(await delta({ columns: ['tid', 'name'] })).toEqual([])
  })

  test('keeps the column of a value that was removed', async () => {
    const csv = { format: 'csv', tids: ['S1'], series: 'table' }
    await persist({ tid: 'S1', ...vals(simple('material', 'wool')) })
    expect(await exported(csv)).toMatch(/^\ufefftid,name,node,material,deleted\r\nS1,.*,wool,\r\n$/)
    await persist({ tid: 'S1', ...vals({ attr: 'material' }) })
    expect(await exported(csv)).toMatch(/^\ufefftid,name,node,material,deleted\r\nS1,.*,,\r\n$/)
    expect(await exported(csv)).toBe('\ufefftid,name,node,material,deleted\r\n')
  })

  test('as a table needs the column tid, because deletions are named by it', async () => {
    const { state, problem } = await ended(await order({ ...body, format: 'csv', columns: ['name'] }))
    expect([state, problem]).toEqual(['failed', expect.stringContaining('the column tid')])
  })

  test('contains what its user may read now: everything again with other rights, and deletions of the rest', async () => {
    const allow = (scopes: object) =>
      api.post(
        '/api/v1/identity/roles/buyer',
        { description: '', grants: [{ kind: '*', actions: ['read'], ...scopes }] },
        { method: 'PUT', token: api.adminToken },
      )
    await persist({ tid: 'S2', node: '/Standard/Boots', ...vals(simple('code', 'AB1')) })
    expect((await allow({})).status).toBe(200)
    const token = await api.tokenFor({ name: 'buyer', roles: ['buyer'] })
    const mine = async () => {
      const { id } = (await api.post(`${at}/exports`, { ...body, series: 'mine' }, { token })).json
      expect(await ended(id, api.adminToken)).toMatchObject({ state: 'finished' })
      return namesIn((await api.get(`${at}/${id}/file`, { token })).text)
    }
    expect(await mine()).toEqual(['S1', 'S2'])
    expect(await mine()).toEqual([])
    expect((await allow({ scopes: { node: ['/Standard/Boots'] } })).status).toBe(200)
    // The rights of a user are read again after a second.
    await vi.waitFor(async () => expect(await mine()).toEqual(['S2', 'no S1']), { timeout: 40_000, interval: 200 })
    expect(await mine()).toEqual([])
  })
})

describe('a table of a series follows changes that no message of a product shows', () => {
  const body = (series: string, more: object = {}) => ({ format: 'csv', tids: ['T1', 'T2'], series, columns: ['tid', 'asset'], ...more }) // prettier-ignore
  const rowsOf = async (order: object) => (await exported(order)).split('\r\n').slice(1, -1)
  const restrict = (usageRights: object) =>
    send('/api/core/v1/dam/assets/persist', { assets: { asset: [{ tid: 'picT', usageRights }] } })
  beforeAll(async () => {
    await persist(jacket('T1', vals(simple('material', 'wool'), simple('color', 'red'))), jacket('T2'))
    await dam.persistDirs({ tid: 'PICTURES', rnc: 'MAM', name: 'pictures' })
    await putPicture('picT', 'a picture')
    await link('assetToProduct', 'Main_Image', { assetTid: 'picT', productTid: 'T1' })
  })

  test('the usage rights of a file', async () => {
    const order = body('rights', { columns: ['tid', 'asset/Main_Image'] })
    const shown = expect.stringMatching(/^T1,\/MAM\/.*picT.txt,$/)
    expect(await rowsOf(order)).toEqual([shown, 'T2,,'])
    await restrict({ validUntil: '2020-01-31T00:00:00.000Z' })
    expect(await rowsOf(order)).toEqual(['T1,,'])
    expect(await rowsOf(order)).toEqual([])
    await restrict({})
    expect(await rowsOf(order)).toEqual([shown])
    expect(await rowsOf(order)).toEqual([])
  })

  test('the time at which a file expires', async () => {
    const order = body('expiry', { columns: ['tid', 'asset/Main_Image'] })
    await restrict({ validUntil: '2099-01-31T00:00:00.000Z' })
    expect(await rowsOf(order)).toHaveLength(2)
    expect(await rowsOf(order)).toEqual([])
    // No change is recorded when the time comes.
    await api.db.run(sql`update asset_usage set valid_until = now()`)
    expect(await rowsOf(order)).toEqual(['T1,,'])
    expect(await rowsOf(order)).toEqual([])
    await restrict({})
  })

  test('the attributes of a group that its columns name', async () => {
    const group = (...attributes: string[]) =>
      asAdmin('attribute-groups', {
        attrGroups: {
          attrGroup: [
            {
              tid: 'facts',
              name: { itm: [{ value: 'Facts', loc: 'en_GB' }] },
              references: { itm: attributes.map((value) => ({ value })) },
            },
          ],
        },
      })
    const order = body('grouped', { columns: ['tid', 'group:facts'] })
    await group('material')
    expect(await rowsOf(order)).toEqual(['T1,wool,', 'T2,,'])
    expect(await rowsOf(order)).toEqual([])
    await group('material', 'color')
    expect(await rowsOf(order)).toEqual(['T1,wool,red,', 'T2,,,'])
    expect(await rowsOf(order)).toEqual([])
  })

  test('the notation of the profile, and the renditions of its pictures', async () => {
    const put = async (path: string, value: object) =>
      expect((await api.post(path, value, { method: 'PUT', token: api.adminToken })).status).toBeLessThan(300)
    const profile = (values: object) => put(`${at}/profiles/words`, { columns: [{ column: 'tid', field: 'tid' }, { column: 'Farbe', attr: 'color', values }] }) // prettier-ignore
    const { columns: _, ...order } = body('words', { profile: 'words' })
    const named = { ...body('named words', { profile: 'words' }), columns: ['tid', 'Farbe'] }
    for (const one of [order, named]) {
      await profile({ rot: 'red' })
      expect(await rowsOf(one)).toEqual(['T1,rot,', 'T2,,'])
      expect(await rowsOf(one)).toEqual([])
      await profile({ rouge: 'red' })
      expect(await rowsOf(one)).toEqual(['T1,rouge,', 'T2,,'])
      expect(await rowsOf(one)).toEqual([])
    }
    await put('/api/core/v1/dam/renditions/profiles/small', { width: 50 })
    expect(await rowsOf({ ...order, pictures: 'small' })).toHaveLength(2)
    expect(await rowsOf({ ...order, pictures: 'small' })).toEqual([])
  })
})
