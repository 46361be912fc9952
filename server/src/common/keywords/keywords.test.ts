import { describe, expect, test } from 'vitest'
import {
  changesBy,
  codes,
  type Envelope,
  formatNames,
  outcomes,
  resourceOf,
  statementsOf,
} from '../../../test/common.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'

const api = withServer()
const base = '/api/core/v1/common/keywords'
const schemaVersion = '5.6.0'

interface Kwd {
  id?: number | string
  path?: string
  parentId?: number
  parentPath?: string
  name?: object
  meta?: object
}
const named = (name: string, parentPath?: string): Kwd => ({
  name: { itm: [{ value: name }] },
  ...(parentPath && { parentPath }),
})
const persist = async (...kwd: Kwd[]) => {
  const reply = await api.post(`${base}/persist`, { schemaVersion, kwds: { kwd } })
  expect(reply.status, reply.text).toBe(200)
  return reply.json.responses.response
}
const perform = async (...action: object[]) => {
  const all = action.map((one) => ({ dataType: 'keyword', ...one }))
  const reply = await api.post(`${base}/perform`, { schemaVersion, actions: { action: all } })
  expect(reply.status, reply.text).toBe(200)
  return reply.json.responses.response
}
const meta = (values: Record<string, string>) => ({
  meta: { itm: Object.entries(values).map(([key, value]) => ({ key, value })) },
})
const retrieve = (request: object) => api.post(`${base}/retrieve`, request)
const pathsBelow = async (path: string, level = -1): Promise<string[]> =>
  ((await retrieve({ path, level })).json.kwds.kwd ?? []).map((kwd: Kwd) => kwd.path)
const statuses = (records: { status: string }[]) => records.map(({ status }) => status)

describe('persist', () => {
  test('creates a tree in one message, parents before children', async () => {
    const records = await persist(named('Sea'), named('Boats', '/Sea'), named('Sails', '/Sea/Boats'))
    expect(records).toMatchObject([
      { action: 'create', dataType: 'keyword', status: 'SUCCESS', path: '/Sea', id: expect.any(Number) },
      { action: 'create', path: '/Sea/Boats' },
      { action: 'create', path: '/Sea/Boats/Sails' },
    ])
    expect(await pathsBelow('/Sea')).toEqual(['/Sea/Boats', '/Sea/Boats/Sails'])
  })

  test('keeps localized names, changes only those sent, and removes one that comes without text', async () => {
    const name = { itm: [{ value: 'Colour' }, { value: 'Colour', loc: 'en_GB' }, { value: 'Farbe', loc: 'de_DE' }] }
    const [{ id }] = await persist({ name })
    await persist({ id, name: { itm: [{ value: 'Couleur', loc: 'fr_FR' }, { loc: 'de_DE' }] } })
    const kwd = (await retrieve({ path: '/' })).json.kwds.kwd.find((one: Kwd) => one.id === id)
    expect(kwd.name.itm).toEqual([
      { value: 'Colour' },
      { value: 'Colour', loc: 'en_GB' },
      { value: 'Couleur', loc: 'fr_FR' },
    ])
    expect(kwd.meta.itm.map((item: { key: string }) => item.key)).toContain('creationDate')
  })

  test('renames by id or path, and everything below follows', async () => {
    const [, , leaf] = await persist(named('Old'), named('Mid', '/Old'), named('Leaf', '/Old/Mid'))
    const records = await persist({ path: '/Old', ...named('New') }, { id: String(leaf.id), ...named('Blade') })
    expect(records).toMatchObject([{ action: 'update', path: '/New' }, { path: '/New/Mid/Blade' }])
    expect(await pathsBelow('/New')).toEqual(['/New/Mid', '/New/Mid/Blade'])
    expect((await retrieve({ path: '/Old' })).status).toBe(404)
  })

  test('an edit that names a path which an earlier edit moved sees the new place', async () => {
    await persist(named('One'), named('Two', '/One'))
    const records = await persist(
      { path: '/One', ...named('Uno') },
      { path: '/Uno/Two', ...named('Due') },
      named('Tre', '/Uno'),
    )
    expect(statuses(records)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
    expect(await pathsBelow('/Uno')).toEqual(['/Uno/Due', '/Uno/Tre'])
  })

  test('two keywords can change places in one message', async () => {
    const [a, b] = await persist(named('SwapA'), named('SwapB'))
    const records = await persist(
      { id: a.id, ...named('Between') },
      { id: b.id, ...named('SwapA') },
      { id: a.id, ...named('SwapB') },
    )
    expect(statuses(records)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
    expect((await pathsBelow('/', 1)).filter((path) => path.startsWith('/Swap'))).toEqual(['/SwapA', '/SwapB'])
  })

  test('a parent that differs from the present one moves the keyword', async () => {
    const [{ id }] = await persist(named('Wanderer'), named('Home'))
    const [record] = await persist({ id, parentPath: '/Home' })
    expect(record).toMatchObject({ action: 'update', path: '/Home/Wanderer' })
  })

  test('a refused item changes nothing, leaves no history, and its neighbours are stored', async () => {
    const before = await api.db.rows<{ count: number }>(sql`select count(*)::int from history`)
    const records = await persist(
      named('Good1'),
      named('Good1'),
      named('Orphan', '/No/Such'),
      { id: 999999999, ...named('X') },
      { path: '/Nowhere', ...named('X') },
      { name: { itm: [{ value: 'only localized', loc: 'en_GB' }] } },
      named('with/slash'),
      { name: { itm: [{ value: 'ok?' }, { value: 'x', loc: 'english' }] } },
      named('Good2'),
    )
    expect(
      records.map((record: { status: string; description?: string }) => record.description),
    ).toEqual([
      'keyword created',
      expect.stringMatching(/a keyword \/Good1 exists already/),
      'no parent keyword has the path /No/Such',
      'no keyword has the id 999999999',
      'no keyword has the path /Nowhere',
      'name: the technical name is missing; send an itm without loc',
      'the technical name "with/slash" contains /, which separates the names of a path',
      'name: english is not a locale; expected language and country like en_GB',
      'keyword created',
    ])
    const after = await api.db.rows<{ count: number }>(sql`select count(*)::int from history`)
    expect(after[0]!.count - before[0]!.count).toBe(2)
  })

  test('names are compared after normalisation', async () => {
    await persist(named('Cafe\u0301'))
    expect(statuses(await persist(named('  Caf\u00e9 ')))).toEqual(['ERROR'])
  })

  test('an id beyond 2^53 is no object, not a neighbour', async () => {
    const text = JSON.stringify({ schemaVersion, kwds: { kwd: [named('Y')] } }).replace(
      '{"name"',
      '{"id":9223372036854775807,"name"',
    )
    const reply = await api.post(`${base}/persist`, text)
    expect(reply.json.responses.response[0].description).toBe('no keyword has the id 9223372036854775807')
  })

  test('a keyword is created and another moved below it in one message', async () => {
    await persist(named('Nomad'))
    const records = await persist(named('Camp'), { path: '/Nomad', parentPath: '/Camp' }, named('Tent', '/Camp/Nomad'))
    expect(outcomes(records)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
    expect(await pathsBelow('/Camp')).toEqual(['/Camp/Nomad', '/Camp/Nomad/Tent'])
  })

  test('with a path, parentPath is where the keyword shall be; where it is already, nothing moves', async () => {
    await persist(named('From'), named('To'), named('Item', '/From'))
    const { history } = await changesBy(api, async () => {
      expect(await persist({ path: '/From/Item', parentPath: '/From' })).toMatchObject([{ path: '/From/Item' }])
    })
    expect(history).toEqual([])
    expect(await persist({ path: '/From/Item', parentPath: '/To' })).toMatchObject([{ path: '/To/Item' }])
    expect(await persist({ path: '/To/Item', parentPath: '/' })).toMatchObject([{ path: '/Item' }])
    expect(outcomes(await persist({ path: '/Item', parentPath: '/Nowhere' }))).toEqual([
      'no parent keyword has the path /Nowhere',
    ])
  })

  test('the id wins over the path, for the keyword as for its parent', async () => {
    const [a, b] = await persist(named('WinA'), named('WinB'))
    await persist({ id: a.id, path: '/WinB', parentId: b.id, parentPath: '/' })
    expect(await pathsBelow('/WinB')).toEqual(['/WinB/WinA'])
  })

  test('meta keeps what senders put there; what the system knows is not taken from them', async () => {
    const sent = {
      itm: [...meta({ owner: 'kim' }).meta.itm, ...meta({ creationUser: 'x', orderNumber: '9' }).meta.itm],
    }
    const [{ id }] = await persist({ ...named('Noted'), meta: sent })
    await persist({ id, ...meta({ note: 'n' }) })
    const kwd = (await retrieve({ path: '/' })).json.kwds.kwd.find((one: Kwd) => one.id === id)
    const texts = kwd.meta.itm.map(({ key, value }: { key: string; value: string }) => `${key} ${value}`)
    expect(texts).toEqual(expect.arrayContaining(['owner kim', 'note n', 'creationUser kim']))
    expect(texts).not.toContain('orderNumber 9')
  })

  test.each([
    ['x'.repeat(255), 'SUCCESS'],
    ['x'.repeat(256), 'the technical name has 256 characters; at most 255 are allowed'],
    ["'; drop table keyword; --", 'SUCCESS'],
    ['..', 'SUCCESS'],
    ['${name} $1 %s \\', 'SUCCESS'],
    ['tab\tbetween', 'the technical name contains a control character; remove it'],
    ['right\u202eto left', 'the technical name contains a control character; remove it'],
  ])('the name %j: %s', async (name, outcome) => {
    const records = await persist(named(name))
    expect(outcomes(records)).toEqual([outcome])
    if (outcome === 'SUCCESS') expect(records[0].path).toBe(`/${name}`)
  })

  test('a path of 2,000 bytes is stored, a longer one refused, also where it grows by a move above it', async () => {
    const segment = (letter: string) => letter.repeat(249)
    const deep = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(segment)
    await persist(...deep.map((name, i) => named(name, `/${deep.slice(0, i).join('/')}`)))
    const path = `/${deep.join('/')}`
    expect(outcomes(await persist(named('é'.repeat(124), path), named(`${'é'.repeat(125)}`, path)))).toEqual([
      'SUCCESS',
      expect.stringMatching(/^the path .* would be longer than 2000 bytes$/),
    ])
    const records = await persist(named('Before'), { path: `/${deep[0]}`, ...named(`${deep[0]}xx`) }, named('After'), {
      path: `/${deep[0]}`,
      ...named(`${deep[0]}x`),
    })
    expect(outcomes(records)).toEqual([
      'SUCCESS',
      'a path below the keyword would be longer than 2000 bytes',
      'SUCCESS',
      'SUCCESS',
    ])
    const moved = `/${deep[0]}x`
    const copies = await perform(
      { type: 'copy', path: moved, ...meta({ parentPath: '/', newName: `${deep[0]}y` }) },
      { type: 'copy', path: moved, ...meta({ parentPath: '/', newName: `${deep[0]}yy` }) },
      { type: 'copy', path: '/Before', ...meta({ parentPath: '/After' }) },
    )
    expect(statuses(copies)).toEqual(['SUCCESS', 'ERROR', 'SUCCESS'])
    const [stray] = await api.db.rows<{ count: number }>(sql`
      select count(*)::int from history h
      where data_type = 'keyword' and action <> 'delete' and not exists (select from keyword where id = h.object_id)`)
    expect(stray!.count, 'a refused edit leaves no history').toBe(0)
  })

  test('costs the same number of statements for 10 keywords as for 1,000', async () => {
    const count = async (from: number, to: number) => {
      const batch = Array.from({ length: to - from }, (_, i) =>
        named(`n${from + i}`, i === 0 ? undefined : `/n${from}`),
      )
      const before = api.statements.length
      await persist(...batch)
      return api.statements.length - before
    }
    expect(await count(1000, 2000)).toBe(await count(0, 10))
  })

  test('writers that race for one name: exactly one wins', async () => {
    const records = await Promise.all(Array.from({ length: 20 }, () => persist(named('Contested'))))
    expect(statuses(records.flat()).filter((status) => status === 'SUCCESS')).toHaveLength(1)
  })
})

describe('retrieve', () => {
  test('level says how deep: 1 by default, -1 for all; parents come before children', async () => {
    await persist(named('L0'), named('L1', '/L0'), named('L2', '/L0/L1'), named('L3', '/L0/L1/L2'))
    expect(await pathsBelow('/L0', 1)).toEqual(['/L0/L1'])
    expect(await pathsBelow('L0/', 2)).toEqual(['/L0/L1', '/L0/L1/L2'])
    expect(await pathsBelow('/L0')).toEqual(['/L0/L1', '/L0/L1/L2', '/L0/L1/L2/L3'])
    expect((await retrieve({ path: '/L0' })).json.kwds.kwd).toHaveLength(1)
  })

  test('a keyword without children gives an empty list, an unknown path 404', async () => {
    await persist(named('Lonely'))
    expect((await retrieve({ path: '/Lonely' })).json.kwds).toEqual({})
    expect((await retrieve({ path: '/Unknown' })).status).toBe(404)
  })

  test('the largest level is all levels', async () => {
    await persist(named('Depth'), named('More', '/Depth'))
    expect(await pathsBelow('/Depth', 2147483647)).toEqual(['/Depth/More'])
  })

  test('more keywords than a page holds come complete and in order', async () => {
    const names = Array.from({ length: 2100 }, (_, i) => `p${i}`)
    await persist(named('Pages'))
    for (const part of [0, 700, 1400]) {
      await persist(...names.slice(part, part + 700).map((name) => named(name, '/Pages')))
    }
    expect(await pathsBelow('/Pages')).toEqual(names.map((name) => `/Pages/${name}`).toSorted())
  })

  test.each([0, -2, 1.5, 2147483648, 'x'])('level %j is refused', async (level) => {
    const reply = await retrieve({ path: '/', level })
    expect(reply.status).toBe(400)
    expect(reply.text).toContain('/keywordRequest/level')
  })

  test('without a body the roots are returned, as JSON', async () => {
    const reply = await api.post(`${base}/retrieve`)
    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toBe('application/json;charset=UTF-8')
    expect(reply.json.meta.itm).toContainEqual({ value: 'keyword', key: 'itemInformationType' })
  })

  test('retrieveLinks is taken; nothing is linked yet', async () => {
    expect((await retrieve({ path: '/', retrieveLinks: true })).status).toBe(200)
  })

  test('names with signs that SQL and paths treat specially are found by their path only', async () => {
    await persist(named('100%'), named('a_b'), named('under', '/100%'), named("O'Neil; drop table keyword"))
    expect(await pathsBelow('/100%')).toEqual(['/100%/under'])
    expect(await pathsBelow('/a_b')).toEqual([])
  })
})

describe('perform', () => {
  test('move puts a subtree under another parent or to the root', async () => {
    await persist(named('M1'), named('M2'), named('Sub', '/M1'), named('Deep', '/M1/Sub'))
    const [moved] = await perform({ type: 'move', path: '/M1/Sub', ...meta({ destinationParentPath: '/M2' }) })
    expect(moved).toMatchObject({ action: 'move', dataType: 'keyword', status: 'SUCCESS', path: '/M2/Sub' })
    expect(await pathsBelow('/M2')).toEqual(['/M2/Sub', '/M2/Sub/Deep'])
    const [top] = await perform({ type: 'move', id: moved.id, ...meta({ parentPath: '/' }) })
    expect(top.path).toBe('/Sub')
  })

  test('move is refused below itself, onto an existing name, and without a known destination', async () => {
    const [{ id }] = await persist(named('Own'), named('Child', '/Own'), named('Other'), named('Child', '/Other'))
    const records = await perform(
      { type: 'move', id, ...meta({ destinationParentPath: '/Own/Child' }) },
      { type: 'move', id, ...meta({ destinationParentId: String(id) }) },
      { type: 'move', path: '/Own/Child', ...meta({ destinationParentPath: '/Other' }) },
      { type: 'move', id, ...meta({ destinationParentId: '99999999' }) },
      { type: 'move', id, ...meta({ destinationParentId: 'x' }) },
      { type: 'move', id },
      { type: 'move', ...meta({ destinationParentPath: '/' }) },
    )
    expect(records.map((record: { description: string }) => record.description)).toEqual([
      'the keyword /Own cannot be moved below itself',
      'the keyword /Own cannot be moved below itself',
      expect.stringContaining('a keyword /Other/Child exists already'),
      'no parent keyword has the id 99999999',
      'meta destinationParentId: x is not an id',
      'move needs meta destinationParentId or destinationParentPath (/ for the root)',
      'the action move names no object; give id or path',
    ])
  })

  test('crossing moves never make a cycle', async () => {
    await persist(named('CrossA'), named('CrossB'))
    for (let round = 0; round < 10; round++) {
      await Promise.all([
        perform({ type: 'move', path: '/CrossA', ...meta({ destinationParentPath: '/CrossB' }) }),
        perform({ type: 'move', path: '/CrossB', ...meta({ destinationParentPath: '/CrossA' }) }),
      ])
      const roots = await pathsBelow('/', 1)
      expect(roots.filter((path) => path.startsWith('/Cross'))).toHaveLength(1)
      for (const path of ['/CrossA/CrossB', '/CrossB/CrossA'])
        await perform({ type: 'move', path, ...meta({ parentPath: '/' }) })
    }
  })

  test('copy copies the subtree with its names; a copy of a copy in one message works too', async () => {
    await persist(
      { name: { itm: [{ value: 'Src' }, { value: 'Quelle', loc: 'de_DE' }] } },
      named('In', '/Src'),
      named('Dst'),
    )
    const records = await perform(
      { type: 'copy', path: '/Src', ...meta({ destinationParentPath: '/Dst' }) },
      { type: 'copy', path: '/Dst/Src', ...meta({ destinationParentPath: '/', newName: 'Src2' }) },
    )
    expect(records).toMatchObject([
      { action: 'copy', path: '/Dst/Src', status: 'SUCCESS' },
      { path: '/Src2', status: 'SUCCESS' },
    ])
    expect(await pathsBelow('/Dst')).toEqual(['/Dst/Src', '/Dst/Src/In'])
    expect(await pathsBelow('/Src2')).toEqual(['/Src2/In'])
    const copy = (await retrieve({ path: '/Dst' })).json.kwds.kwd[0]
    expect(copy.name.itm).toContainEqual({ value: 'Quelle', loc: 'de_DE' })
  })

  test('copy is refused where the name is taken, and for what does not exist', async () => {
    await persist(named('Dup'))
    const records = await perform(
      { type: 'copy', path: '/Dup', ...meta({ destinationParentPath: '/' }) },
      { type: 'copy', path: '/NoSuch', ...meta({ destinationParentPath: '/' }) },
      { type: 'copy', path: '/Dup', ...meta({ destinationParentPath: '/NoSuch' }) },
      { type: 'copy', path: '/Dup' },
    )
    expect(statuses(records)).toEqual(['ERROR', 'ERROR', 'ERROR', 'ERROR'])
  })

  test('copies keep the order of siblings, and go into the history', async () => {
    await persist(named('Order'), named('b', '/Order'), named('a', '/Order'), named('OrderTo'))
    const { history, outbox } = await changesBy(api, () =>
      perform({ type: 'copy', path: '/Order', ...meta({ destinationParentPath: '/OrderTo' }) }),
    )
    const copied = await api.db.rows<{ name: string }>(sql`
      select name from keyword where path like '/OrderTo/Order/%' order by order_number`)
    expect(copied.map(({ name }) => name)).toEqual(['b', 'a'])
    expect(history.map(({ action, changes }) => `${action} ${(changes as { path: string }).path}`)).toEqual([
      'copy /OrderTo/Order',
      'copy /OrderTo/Order/b',
      'copy /OrderTo/Order/a',
    ])
    expect(outbox.map(({ event }) => event)).toEqual(['CREATE', 'CREATE', 'CREATE'])
  })

  test('copies of a keyword into itself end before they fill the house', async () => {
    await persist(named('Doubling'))
    const records = await perform(
      ...Array.from({ length: 30 }, (_, i) => ({
        type: 'copy',
        path: '/Doubling',
        ...meta({ destinationParentPath: '/Doubling', newName: `c${i}` }),
      })),
    )
    expect(statuses(records).slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'SUCCESS'))
    expect(outcomes(records).at(-1)).toBe('copies of more than 20000 keywords; send this one in a message of its own')
    await perform({ type: 'delete', path: '/Doubling' })
  })

  test('a move that changes nothing leaves no trace', async () => {
    await persist(named('Settled'))
    const { history } = await changesBy(api, () =>
      perform({ type: 'move', path: '/Settled', ...meta({ parentPath: '/' }) }),
    )
    expect(history).toEqual([])
  })

  test('of several names of a keyword or a destination, the id is the one that counts', async () => {
    const [a, b, c] = await persist(named('ById'), named('ByPath'), named('Goal'))
    const records = await perform(
      { type: 'copy', id: a.id, path: '/ByPath', ...meta({ parentId: String(c.id), parentPath: '/ByPath' }) },
      { type: 'move', id: a.id, path: '/ByPath', ...meta({ parentId: String(b.id), parentPath: '/Goal' }) },
      { type: 'delete', id: c.id, path: '/ByPath' },
    )
    expect(records).toMatchObject([{ path: '/Goal/ById' }, { path: '/ByPath/ById' }, { path: '/Goal', id: c.id }])
  })

  test.each(['move', 'copy'])('%s into a parent that no id can name is refused', async (type) => {
    await persist(named(`Far ${type}`))
    const records = await perform(
      { type, path: `/Far ${type}`, ...meta({ destinationParentId: '9'.repeat(25) }) },
      { type, path: `/Far ${type}`, ...meta({ destinationParentId: '-1' }) },
      { type, path: `/Far ${type}`, ...meta({ destinationParentPath: '/No/Such' }) },
    )
    expect(codes(records)).toEqual(['1002', '1001', '1002'])
  })

  test.each(['move', 'copy', 'delete'])('%s costs the same for 10 keywords as for 1,000', async (type) => {
    const prepare = async (count: number) => {
      const top = `${type} ${count}`
      await persist(named(top), named(`${top} to`))
      const names = Array.from({ length: count }, (_, i) => named(`k${i}`, `/${top}`))
      const created = await persist(...names)
      const to = meta({ destinationParentPath: `/${top} to` })
      return () => perform(...created.map(({ id }: Kwd) => ({ type, id, ...to })))
    }
    const [few, many] = [await prepare(10), await prepare(999)]
    expect(await statementsOf(api, many)).toBe(await statementsOf(api, few))
  })

  test('delete removes the subtree once; what is gone is not found', async () => {
    await persist(named('Gone'), named('Too', '/Gone'))
    const records = await perform(
      { type: 'delete', path: '/Gone' },
      { type: 'delete', path: '/Gone/Too' },
      { type: 'delete', id: 99999999 },
    )
    expect(records).toMatchObject([
      { action: 'delete', status: 'SUCCESS', path: '/Gone' },
      { status: 'ERROR', description: 'no keyword has the path /Gone/Too' },
      { status: 'ERROR', id: 99999999 },
    ])
    expect((await retrieve({ path: '/Gone' })).status).toBe(404)
  })

  test('a keyword in use is kept, unless force says otherwise', async () => {
    const [{ id }] = await persist(named('Used'))
    await api.db.run(
      sql`insert into link (kind, from_id, to_id, created_by) values ('keywordToAsset', ${id}, 1, 'kim')`,
    )
    expect((await perform({ type: 'delete', id }))[0]).toMatchObject({
      status: 'ERROR',
      description: 'in use: /Used by 1 keywordToAsset links; unlink it first or send meta force=true',
      details: { itm: [{ key: 'code', value: '1008' }] },
    })
    expect(statuses(await perform({ type: 'delete', id, ...meta({ force: 'true' }) }))).toEqual(['SUCCESS'])
    const [links] = await api.db.rows<{ count: number }>(sql`select count(*)::int from link where from_id = ${id}`)
    expect(links!.count).toBe(0)
  })

  test('a link that is made meanwhile keeps its keyword', async () => {
    const [{ id }] = await persist(named('Coveted'))
    let deleting: Promise<unknown> | undefined
    await api.db.transaction(async (db) => {
      await db.run(sql`select id from keyword where id = ${id} for key share`)
      deleting = perform({ type: 'delete', id }).then(codes)
      await new Promise((resolve) => setTimeout(resolve, 100))
      await db.run(sql`insert into link (kind, from_id, to_id, created_by) values ('keywordToAsset', ${id}, 1, 'kim')`)
    })
    expect(await deleting).toEqual(['1008'])
  })

  test('an unknown action or data type is refused in its record', async () => {
    await persist(named('Act'))
    const records = await perform(
      { type: 'explode', path: '/Act' },
      { type: 'delete', path: '/Act', dataType: 'product' },
    )
    expect(records.map((record: { description: string }) => record.description)).toEqual([
      '@type: no action explode here; expected one of delete, move, copy',
      '@dataType: product is not handled here; expected keyword',
    ])
  })
})

describe.each(formatNames)('in %s', (format) => {
  const calls = resourceOf(api, 'keywords', format)
  const listed = ({ kwds }: Envelope) => kwds?.kwd ?? []

  test('what retrieve gives, persist takes, and nothing changes', async () => {
    const top = `Round ${format}`
    const itm = [{ value: 'Größe <&>' }, { value: 'Size "x"', loc: 'en_GB' }, { value: 'größe', loc: 'de_DE' }]
    const noted = { itm: [{ value: 'n', pos: 1, key: 'note', loc: 'en_GB', order: 'a', mode: 'full' }] }
    await calls.persist(
      named(top),
      { name: { itm }, meta: noted, parentPath: `/${top}` },
      named('Deep', `/${top}/Größe <&>`),
    )
    const request = { path: '/', level: -1, retrieveLinks: true }
    const before = listed(await calls.retrieve(request)).slice(-200)
    const { history, outbox } = await changesBy(api, async () => {
      const records = await calls.persist(...before)
      expect(new Set(outcomes(records))).toEqual(new Set(['SUCCESS']))
    })
    expect([history, outbox]).toEqual([[], []])
    expect(listed(await calls.retrieve(request)).slice(-200)).toEqual(before)
  })

  test('move, copy and delete work', async () => {
    const top = `Acts ${format}`
    await calls.persist(named(top), named('a', `/${top}`), named('b', `/${top}`))
    const records = await calls.perform(
      { type: 'move', path: `/${top}/a`, ...meta({ destinationParentPath: `/${top}/b` }) },
      { type: 'copy', path: `/${top}/b`, ...meta({ destinationParentPath: `/${top}`, newName: 'c' }) },
      { type: 'delete', path: `/${top}/b` },
    )
    expect(outcomes(records)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
    expect(listed(await calls.retrieve({ path: `/${top}`, level: -1 })).map(({ path }) => path)).toEqual([
      `/${top}/c`,
      `/${top}/c/a`,
    ])
  })
})
