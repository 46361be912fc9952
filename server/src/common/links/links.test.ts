/**
 * Links between things of the test's own: the areas that have assets and products come later, and links know none of
 * them. A table stands for every kind of object, and the resource is mounted a second time, over that table.
 */
import { area, common, decode, formats, Pim, schemaVersion } from '@kontor/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  changesBy,
  codes,
  formatNames,
  keyword,
  meta,
  outcomes,
  postIn,
  resourceOf,
  type Response,
  statementsOf,
  statuses,
} from '../../../test/common.ts'
import { withServer } from '../../../test/server.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { mountArea } from '../../core/area.ts'
import { runBulk } from '../../core/batch/bulk.ts'
import type { Mounted } from '../../core/batch/handlers.ts'
import { keywords, keywordTarget } from '../keywords/keywords.ts'
import { linkActions, links } from './links.ts'
import { createUsage, deletionBlockersBy } from '../uses/uses.ts'
import type { Target, TargetRow, Targets } from './targets.ts'

const api = withServer()
const { links: resource, 'links/actions': actionResource, keywords: keywordResource } = common.resources
const resources = { links: resource, 'links/actions': actionResource, keywords: keywordResource }
const contract = area({ base: '/test', doc: '', resources, routes: {} })

const thingTarget = (dataType: string): Target => ({
  lock: (db, { ids, tids }) =>
    db.rows<TargetRow>(sql`
      select id, tid, tid as path from thing
      where data_type = ${dataType} and (id = any(${ids}::bigint[]) or tid = any(${tids}::text[]))
      order by id for key share`),
  describe: (db, ids) =>
    db.rows<TargetRow>(sql`select id, tid, 'boats/' || tid as path from thing where id = any(${ids}::bigint[])`),
})
const targets: Targets = new Map([
  ...['asset', 'product', 'project', 'peo'].map((dataType) => [dataType, thingTarget(dataType)] as const),
  ['keyword', keywordTarget],
])

const services = () => ({
  database: api.db,
  config: api.config,
  callerNow: api.app.identity.callerNow,
  deletionBlockers: deletionBlockersBy(createUsage(targets, [])),
})
let mounted: Mounted[]
beforeAll(async () => {
  await api.db.run(sql`
    create table thing (id bigint primary key default nextval('object_id_seq'), data_type text, tid text, unique (data_type, tid))`)
  await api.db.run(sql`
    create trigger thing_links after delete on thing
    referencing old table as gone for each statement execute function forget_links()`)
  mounted = mountArea(api.app.http, services(), {
    contract,
    resources: { links: links(targets), 'links/actions': linkActions(targets), keywords: keywords(targets) },
    routes: {},
  })
})

const addThings = (dataType: string, ...tids: string[]) =>
  api.db
    .writeRows<{ id: number }>(
      sql`
      insert into thing (data_type, tid) select ${dataType}, unnest(${tids}::text[]) returning id`,
    )
    .then((rows) => rows.map(({ id }) => id))

type Ends = readonly (readonly [key: string, value: string | number])[]
/** A group with one inner group: a kind, a link type, and the keys of both ends. */
const group = (kind: string | undefined, type: string | undefined, ...ends: Ends) => ({
  itms: [{ itm: ends.map(([key, value]) => ({ value: String(value), key })), type }],
  type: kind,
})
const persist = async (...itms: object[]): Promise<Response[]> => {
  const reply = await api.post('/test/links/persist', { schemaVersion, links: { itms } })
  expect(reply.status, reply.text).toBe(200)
  return reply.json.responses.response
}
const linkRows = (db: Db, ...ids: number[]) =>
  db.rows<{ kind: string; type: string; from: number; to: number }>(sql`
    select kind, type, from_id as from, to_id as to from link
    where from_id = any(${ids}::bigint[]) or to_id = any(${ids}::bigint[]) order by id`)
const detailsOf = ({ details }: Response) =>
  Object.fromEntries((details?.itm ?? []).map(({ key, value }) => [key, value]))

describe('persist', () => {
  test('links two objects, by tid or by id, and says which in the record', async () => {
    const [asset] = await addThings('asset', 'sail.jpg')
    const [product] = await addThings('product', 'dinghy')
    const { history, outbox } = await changesBy(api, async () => {
      const [byTid, byId] = await persist(
        group('assetToProduct', 'Main_Image', ['assetTid', 'sail.jpg'], ['productTid', 'dinghy']),
        group('assetToProduct', 'Other', ['assetId', asset!], ['productId', product!]),
      )
      expect(byTid).toMatchObject({ status: 'SUCCESS', action: 'create', dataType: 'link', id: expect.any(Number) })
      expect(detailsOf(byTid!)).toEqual({ assetTid: 'sail.jpg', productTid: 'dinghy', linkType: 'Main_Image' })
      expect(detailsOf(byId!)).toEqual({ assetId: `${asset}`, productId: `${product}`, linkType: 'Other' })
    })
    expect(await linkRows(api.db, asset!)).toEqual([
      { kind: 'assetToProduct', type: 'Main_Image', from: asset, to: product },
      { kind: 'assetToProduct', type: 'Other', from: asset, to: product },
    ])
    const change = { link: { kind: 'assetToProduct', type: 'Main_Image', from: asset, to: product } }
    expect(history.slice(0, 2)).toEqual([
      { id: asset, dataType: 'asset', action: 'link', user: 'kim', changes: change },
      { id: product, dataType: 'product', action: 'link', user: 'kim', changes: change },
    ])
    expect(outbox.map(({ event, dataType }) => `${event} ${dataType}`)).toEqual([
      'UPDATE asset',
      'UPDATE product',
      'UPDATE asset',
      'UPDATE product',
    ])
  })

  test.each([
    ['assetToProduct', 'asset', ['asset'], 'product', ['product']],
    ['assetToProject', 'asset', ['asset'], 'project', ['project']],
    ['productToProduct', 'product', ['sourceProduct', 'product'], 'product', ['targetProduct', 'linkedProduct']],
    ['productToProject', 'product', ['product'], 'project', ['project']],
    ['peoToProject', 'peo', ['peo'], 'project', ['project']],
  ])('%s, with every key that may name its ends', async (kind, source, sourceWords, target, targetWords) => {
    const [from] = await addThings(source, `${kind} from`)
    const [to] = await addThings(target, `${kind} to`)
    const keys = (words: string[], id: number, tid: string) =>
      words.flatMap((word) => [[`${word}Tid`, tid] as const, [`${word}Id`, id] as const])
    const groups = keys(sourceWords, from!, `${kind} from`).flatMap((one) =>
      keys(targetWords, to!, `${kind} to`).map((other) => group(kind, undefined, one, other)),
    )
    const records = await persist(...groups)
    expect(statuses(records)).toEqual(groups.map(() => 'SUCCESS'))
    expect(
      records.filter(({ id }) => id !== undefined),
      'the same link each time',
    ).toHaveLength(1)
    expect(detailsOf(records[0]!)).not.toHaveProperty('linkType')
    expect(await linkRows(api.db, from!)).toEqual([{ kind, type: '', from, to }])
  })

  test('keywordToAsset, by the path or the id of the keyword', async () => {
    const created = await resourceOf(api, 'keywords').persist(keyword('Linked'))
    await addThings('asset', 'by keyword')
    const records = await persist(
      group('keywordToAsset', undefined, ['keywordPath', 'Linked/'], ['assetTid', 'by keyword']),
      group('keywordToAsset', undefined, ['keywordId', created[0].id], ['assetTid', 'by keyword']),
      group('keywordToAsset', undefined, ['keywordTid', 'Linked'], ['assetTid', 'by keyword']),
    )
    expect(outcomes(records)).toEqual(['SUCCESS', 'SUCCESS', 'itms type : keywordPath or keywordId missing'])
  })

  test('keys that are repeated link each with each, with a record for each link', async () => {
    const assets = await addThings('asset', 'a1', 'a2', 'a3')
    const [p1, p2] = await addThings('product', 'p1', 'p2')
    const ends = [
      ['assetTid', 'a1'],
      ['assetId', assets[1]!],
      ['assetTid', 'a3'],
      ['productTid', 'p1'],
      ['productId', p2!],
    ] as const
    const records = await persist(group('assetToProduct', 'Gallery', ...ends))
    expect(records.map(detailsOf).map((details) => Object.values(details).join(' '))).toEqual([
      'a1 p1 Gallery',
      `a1 ${p2} Gallery`,
      `${assets[1]} p1 Gallery`,
      `${assets[1]} ${p2} Gallery`,
      'a3 p1 Gallery',
      `a3 ${p2} Gallery`,
    ])
    expect(await linkRows(api.db, p1!, p2!)).toHaveLength(6)
  })

  test('several link types in one group, each with its own ends', async () => {
    await addThings('asset', 'multi')
    await addThings('product', 'm1', 'm2')
    const inner = ['m1', 'm2'].map(
      (tid) => group(undefined, `T-${tid}`, ['assetTid', 'multi'], ['productTid', tid]).itms[0],
    )
    expect((await persist({ type: 'assetToProduct', itms: inner })).map((one) => detailsOf(one).linkType)).toEqual([
      'T-m1',
      'T-m2',
    ])
  })

  test('a link that exists is a success and no change, also within one message', async () => {
    await addThings('asset', 'twice')
    await addThings('product', 'twice')
    const link = group('assetToProduct', 'T', ['assetTid', 'twice'], ['productTid', ' twice '])
    const { history } = await changesBy(api, async () => {
      const records = await persist(link, link)
      expect(records).toMatchObject([
        { status: 'SUCCESS', id: expect.any(Number) },
        { status: 'SUCCESS', description: 'the link exists already' },
      ])
    })
    expect(history).toHaveLength(2)
    expect((await changesBy(api, () => persist(link))).history).toEqual([])
  })

  test('refusals are reported in their records and do not affect the others', async () => {
    await addThings('asset', 'good')
    await addThings('product', 'good')
    const ends = [
      ['assetTid', 'good'],
      ['productTid', 'good'],
    ] as const
    const records = await persist(
      group('assetToProduct', 'First', ...ends),
      group('assetToShip', 'T', ...ends),
      group(undefined, 'T', ...ends),
      group('__proto__', 'T', ...ends),
      { type: 'assetToProduct' },
      group('assetToProduct', 'T'),
      group('assetToProduct', 'T', ['assetTid', 'good']),
      group('assetToProduct', 'T', ['productTid', 'good'], ['projectTid', 'good']),
      group('assetToProduct', 'T', ['assetTid', 'bad'], ['assetTid', 'good'], ['productTid', 'good']),
      group('assetToProduct', 'T', ['assetTid', 'good'], ['productId', 99999999]),
      group('assetToProduct', 'T', ['assetId', 'good'], ['productTid', 'good']),
      group('assetToProduct', 'T', ['assetId', '9'.repeat(19)], ['productTid', 'good']),
      group('keywordToAsset', undefined, ['keywordPath', 'No/Such'], ['assetTid', 'good']),
      group('assetToProduct', "'; drop table link; --", ...ends),
    )
    expect(outcomes(records)).toEqual([
      'SUCCESS',
      expect.stringMatching(/^itms\/@type: unknown kind of link assetToShip; expected one of assetToProduct, /),
      expect.stringMatching(/^itms\/@type: unknown kind of link \(none\)/),
      expect.stringMatching(/^itms\/@type: unknown kind of link __proto__/),
      'itms: a group of links holds one itms per link type, as in {"type":"assetToProduct","itms":[{"type":"Main_Image","itm":[…]}]}',
      'itms type T: assetTid or assetId and productTid or productId missing',
      'itms type T: productTid or productId missing',
      'itms type T: assetTid or assetId missing',
      'no asset has the tid bad',
      'SUCCESS',
      'no product has the id 99999999',
      'assetId: good is not an id',
      `assetId: no object has the id ${'9'.repeat(19)}`,
      'no keyword has the path /No/Such',
      'SUCCESS',
    ])
    expect(codes(records).slice(1, 3)).toEqual(['1001', '1001'])
    expect(codes(records)[8]).toBe('1002')
  })

  test('a kind whose objects no area offers has none', async () => {
    const body = { links: { itms: [group('peoToProject', undefined, ['peoTid', 'x'], ['projectTid', 'y'])] } }
    const reply = await api.post(`${common.base}/links/persist`, { schemaVersion, ...body })
    expect(outcomes(reply.json.responses.response)).toEqual(['no peo has the tid x'])
  })

  test('more links than a message may make are refused; the others are made', async () => {
    await addThings('asset', 'many')
    await addThings('product', 'many')
    const many = (count: number) =>
      ['assetTid', 'productTid'].flatMap((key) => Array.from({ length: count }, (_, i) => [key, `x${i}`] as const))
    const records = await persist(
      group('assetToProduct', 'T', ...many(1000)),
      group('assetToProduct', 'T', ...many(110)),
      group('assetToProduct', 'T', ...many(100)),
      group('assetToProduct', 'T', ['assetTid', 'many'], ['productTid', 'many']),
    )
    const refused = (count: number) => `itms: ${count} links, of 20000 in a message; send these in one of their own`
    const unknown = Array.from({ length: 110 * 110 }, () => expect.stringMatching(/^no asset has the tid x\d+$/))
    expect(outcomes(records)).toEqual([refused(1_000_000), ...unknown, refused(10_000), 'SUCCESS'])
  })

  test('costs the same number of statements for 10 links as for 1,000', async () => {
    const tids = Array.from({ length: 1010 }, (_, i) => `count-${i}`)
    await addThings('asset', ...tids)
    await addThings('product', 'counted')
    const batch = (from: number, to: number) =>
      tids.slice(from, to).map((tid) => group('assetToProduct', 'T', ['assetTid', tid], ['productTid', 'counted']))
    const few = await statementsOf(api, () => persist(...batch(0, 10)))
    expect(await statementsOf(api, () => persist(...batch(10, 1010)))).toBe(few)
  })

  test('clients that race for one link: it is made once, and all succeed', async () => {
    const [asset] = await addThings('asset', 'raced')
    await addThings('product', 'raced')
    const link = group('assetToProduct', 'T', ['assetTid', 'raced'], ['productTid', 'raced'])
    const records = (await Promise.all(Array.from({ length: 20 }, () => persist(link)))).flat()
    expect(statuses(records)).toEqual(records.map(() => 'SUCCESS'))
    expect(records.filter(({ id }) => id !== undefined)).toHaveLength(1)
    expect(await linkRows(api.db, asset!)).toHaveLength(1)
  })

  test.each(formatNames)('works in %s', async (format) => {
    await addThings('asset', `in-${format}`)
    await addThings('product', `in-${format}`)
    const itms = [group('assetToProduct', 'T', ['assetTid', `in-${format}`], ['productTid', `in-${format}`])]
    const reply = await postIn(api, format, '/test/links/persist', Pim, { schemaVersion, links: { itms } })
    const { responses } = decode(formats[format], Pim, Buffer.from(reply.text)) as {
      responses: { response: Response[] }
    }
    expect(responses.response).toMatchObject([{ status: 'SUCCESS', action: 'create', dataType: 'link' }])
  })
})

describe('an end that is deleted', () => {
  test('takes its links with it', async () => {
    const [asset] = await addThings('asset', 'mortal')
    const [product] = await addThings('product', 'mortal')
    await persist(group('assetToProduct', 'T', ['assetTid', 'mortal'], ['productTid', 'mortal']))
    await persist(group('assetToProduct', 'U', ['assetTid', 'mortal'], ['productTid', 'mortal']))
    const { history, outbox } = await changesBy(api, () =>
      api.db.run(sql`delete from thing where data_type = 'product' and tid = 'mortal'`),
    )
    expect(await linkRows(api.db, asset!)).toEqual([])
    const removed = (type: string) => ({ link: { kind: 'assetToProduct', type, from: asset, to: product } })
    const ofAsset = { id: asset, dataType: 'asset', action: 'unlink', user: 'system' }
    expect(history).toEqual(['T', 'U'].map((type) => ({ ...ofAsset, changes: removed(type) })))
    expect(outbox).toEqual(['T', 'U'].map(() => ({ id: asset, dataType: 'asset', event: 'UPDATE' })))
  })

  test('never leaves a link behind, in any order of commits', async () => {
    for (let round = 0; round < 30; round++) {
      const [asset] = await addThings('asset', `hasty-${round}`)
      const [product] = await addThings('product', `hasty-${round}`)
      const doomed = round % 2 ? asset! : product!
      const link = group('assetToProduct', 'T', ['assetId', asset!], ['productId', product!])
      const [records] = await Promise.all([persist(link), api.db.run(sql`delete from thing where id = ${doomed}`)])
      expect([undefined, '1002']).toContain(codes(records)[0])
      expect(await linkRows(api.db, asset!, product!)).toEqual([])
    }
  })

  test('waits for a link that is being made, and removes it', async () => {
    const [asset] = await addThings('asset', 'waits')
    const [product] = await addThings('product', 'waits')
    let deleting: Promise<number> | undefined
    await api.db.transaction(async (db) => {
      await targets.get('asset')!.lock(db, { ids: [asset!], tids: [] })
      deleting = api.db.run(sql`delete from thing where id = ${asset!}`)
      await expect(Promise.race([deleting, pause(100).then(() => 'waiting')])).resolves.toBe('waiting')
      await db.run(sql`
        insert into link (kind, from_id, to_id, created_by) values ('assetToProduct', ${asset!}, ${product!}, 'kim')`)
    })
    await deleting
    expect(await linkRows(api.db, asset!)).toEqual([])
  })

  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
})

describe('keywords', () => {
  test('show the assets that carry them, on request; a keyword in use is not deleted behind a link', async () => {
    await addThings('asset', 'tagged.jpg')
    const name = { itm: [{ value: 'Tag' }] }
    await api.post('/test/keywords/persist', { schemaVersion, kwds: { kwd: [{ name }] } })
    await persist(group('keywordToAsset', undefined, ['keywordPath', '/Tag'], ['assetTid', 'tagged.jpg']))
    const retrieve = async (retrieveLinks: boolean) =>
      (await api.post('/test/keywords/retrieve', { path: '/', retrieveLinks })).json.kwds.kwd.find(
        (kwd: { path: string }) => kwd.path === '/Tag',
      )
    expect((await retrieve(true)).links).toEqual({ itm: [{ value: 'boats/tagged.jpg', key: 'tagged.jpg' }] })
    expect((await retrieve(false)).links).toBeUndefined()

    const { history } = await changesBy(api, async () =>
      api.post('/test/keywords/persist', { schemaVersion, kwds: { kwd: [await retrieve(true)] } }),
    )
    expect(history, 'sent back as retrieved').toEqual([])
    const action = [{ type: 'delete', dataType: 'keyword', path: '/Tag' }]
    const reply = await api.post('/test/keywords/perform', { schemaVersion, actions: { action } })
    expect(codes(reply.json.responses.response)).toEqual(['1008'])
  })
})

describe('unlink', () => {
  const unlink = async (...actions: (readonly [dataType: string, ends: Readonly<Record<string, string>>])[]) => {
    const action = actions.map(([dataType, ends]) => ({ type: 'unlink', dataType, ...meta(ends) }))
    const reply = await api.post('/test/links/actions/perform', { schemaVersion, actions: { action } })
    expect(reply.status, reply.text).toBe(200)
    return reply.json.responses.response as Response[]
  }
  const place = { productTid: 'raft', projectTid: 'fair' }

  test('removes links of every kind, of one type or of all, and records a change at both ends', async () => {
    const [asset] = await addThings('asset', 'raft.jpg')
    const [product] = await addThings('product', 'raft')
    const [project] = await addThings('project', 'fair')
    await persist(
      group('productToProject', 'Main', ['productTid', 'raft'], ['projectTid', 'fair']),
      group('productToProject', 'Other', ['productTid', 'raft'], ['projectTid', 'fair']),
      group('assetToProject', undefined, ['assetTid', 'raft.jpg'], ['projectTid', 'fair']),
    )
    const { outbox } = await changesBy(api, async () =>
      expect(statuses(await unlink(['productToProjectLink', { ...place, linkType: 'Other' }]))).toEqual(['SUCCESS']),
    )
    expect(outbox).toMatchObject([{ id: product, event: 'UPDATE' }, { id: project, event: 'UPDATE' }]) // prettier-ignore
    expect(await linkRows(api.db, product!)).toMatchObject([{ type: 'Main' }])
    const records = await unlink(
      ['productToProjectLink', place],
      ['assetToProjectLink', { assetId: String(asset), projectId: String(project) }],
    )
    expect(statuses(records)).toEqual(['SUCCESS', 'SUCCESS'])
    expect(await linkRows(api.db, project!)).toEqual([])
  })

  test('missing links, objects and names are refused without affecting the others', async () => {
    await persist(group('productToProject', 'Main', ['productTid', 'raft'], ['projectTid', 'fair']))
    const records = await unlink(
      ['productToProjectLink', { ...place, linkType: 'Other' }],
      ['productToProjectLink', { ...place, productTid: 'ark' }],
      ['productToProjectLink', { productTid: 'raft' }],
      ['link', place],
      ['projectLink', place],
      ['productToProjectLink', place],
      ['productToProjectLink', place],
    )
    expect(outcomes(records)).toEqual([
      'no such link exists',
      'no product has the tid ark',
      'unlink needs meta projectTid or projectId',
      expect.stringContaining('@dataType: link does not name a kind of link'),
      expect.stringContaining('@dataType: projectLink is not handled here'),
      'SUCCESS',
      'no such link exists',
    ])
  })
})

describe('bulk', () => {
  test('settles any number of groups and records every link', async () => {
    const tids = Array.from({ length: 1200 }, (_, i) => `bulk-${i}`)
    await addThings('asset', ...tids)
    await addThings('product', 'bulk-a', 'bulk-b')
    const itms = [...tids, 'missing'].map((tid) =>
      group('assetToProduct', 'T', ['assetTid', tid], ['productTid', 'bulk-a'], ['productTid', 'bulk-b']),
    )
    const started = await api.post('/test/links/bulk', { schemaVersion, links: { itms } })
    expect(started.status, started.text).toBe(200)
    const resources = new Map(mounted.map((one) => [one.path, one]))
    const fail = (error: unknown) => {
      throw error
    }
    await runBulk({ services: services(), resources, fail }, started.text, new AbortController().signal)
    const run = await api.get(`/test/links/bulk/${started.text}`)
    expect(run.json.meta.itm).toEqual(
      expect.arrayContaining([
        { key: 'state', value: 'finished' },
        { key: 'processed', value: '1201' },
      ]),
    )
    expect(run.json.responses.response).toHaveLength(2402)
    expect(statuses(run.json.responses.response).filter((status) => status === 'ERROR')).toHaveLength(2)
  })
})
