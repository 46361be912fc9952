import { schemaVersion } from '@kontor/contract'
import { describe, expect, test } from 'vitest'
import {
  addressOf,
  changesBy,
  type Envelope,
  formatNames,
  keyword,
  meta,
  outcomes,
  resourceOf,
  statementsOf,
  statuses,
} from '../../../test/common.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'

const api = withServer()
const base = addressOf('keywords')
const { persist, perform, retrieve } = resourceOf(api, 'keywords')
const pathsBelow = async (path: string, level = -1) =>
  ((await retrieve({ path, level })).kwds?.kwd ?? []).map((kwd) => kwd.path)
const keywordOf = async (id: number) => (await retrieve({ path: '/' })).kwds!.kwd!.find((kwd) => kwd.id === id)!
const statusOf = async (request: object) => (await api.post(`${base}/retrieve`, request)).status

describe('persist', () => {
  test('refuses If-Match, because keywords have no version to compare', async () => {
    const message = { schemaVersion, kwds: { kwd: [keyword('Unversioned')] } }
    const reply = await api.post(`${base}/persist`, message, { headers: { 'if-match': '"1"' } })
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('If-Match: this call does not compare')])
    expect(await statusOf({ path: '/Unversioned' })).toBe(404)
  })

  test('creates a tree in one message, parents before children', async () => {
    const records = await persist(keyword('Sea'), keyword('Boats', '/Sea'), keyword('Sails', '/Sea/Boats'))
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
    const kwd = await keywordOf(id)
    expect(kwd.name!.itm).toEqual([
      { value: 'Colour' },
      { value: 'Colour', loc: 'en_GB' },
      { value: 'Couleur', loc: 'fr_FR' },
    ])
    expect(kwd.meta!.itm!.map((item) => item.key)).toContain('creationDate')
  })

  test('renames by id or path, and everything below follows', async () => {
    const [, , leaf] = await persist(keyword('Old'), keyword('Mid', '/Old'), keyword('Leaf', '/Old/Mid'))
    const records = await persist({ path: '/Old', ...keyword('New') }, { id: String(leaf.id), ...keyword('Blade') })
    expect(records).toMatchObject([{ action: 'update', path: '/New' }, { path: '/New/Mid/Blade' }])
    expect(await pathsBelow('/New')).toEqual(['/New/Mid', '/New/Mid/Blade'])
    expect(await statusOf({ path: '/Old' })).toBe(404)
  })

  test('an edit that names a path which an earlier edit moved sees the new place', async () => {
    await persist(keyword('One'), keyword('Two', '/One'))
    const records = await persist(
      { path: '/One', ...keyword('Uno') },
      { path: '/Uno/Two', ...keyword('Due') },
      keyword('Tre', '/Uno'),
    )
    expect(statuses(records)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
    expect(await pathsBelow('/Uno')).toEqual(['/Uno/Due', '/Uno/Tre'])
  })

  test('two keywords can change places in one message', async () => {
    const [a, b] = await persist(keyword('SwapA'), keyword('SwapB'))
    const records = await persist(
      { id: a.id, ...keyword('Between') },
      { id: b.id, ...keyword('SwapA') },
      { id: a.id, ...keyword('SwapB') },
    )
    expect(statuses(records)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
    expect((await pathsBelow('/', 1)).filter((path) => path!.startsWith('/Swap'))).toEqual(['/SwapA', '/SwapB'])
  })

  test('a parent that differs from the present one moves the keyword', async () => {
    const [{ id }] = await persist(keyword('Wanderer'), keyword('Home'))
    const [record] = await persist({ id, parentPath: '/Home' })
    expect(record).toMatchObject({ action: 'update', path: '/Home/Wanderer' })
  })

  test('a refused item changes nothing, leaves no history, and its neighbours are stored', async () => {
    const before = await api.db.rows<{ count: number }>(sql`select count(*)::int from history`)
    const records = await persist(
      keyword('Good1'),
      keyword('Good1'),
      keyword('Orphan', '/No/Such'),
      { id: 999999999, ...keyword('X') },
      { path: '/Nowhere', ...keyword('X') },
      { name: { itm: [{ value: 'only localized', loc: 'en_GB' }] } },
      keyword('with/slash'),
      { name: { itm: [{ value: 'ok?' }, { value: 'x', loc: 'english' }] } },
      keyword('Good2'),
    )
    expect(outcomes(records)).toEqual([
      'SUCCESS',
      expect.stringMatching(/a keyword \/Good1 exists already/),
      'no parent keyword has the path /No/Such',
      'no keyword has the id 999999999',
      'no keyword has the path /Nowhere',
      'name: the technical name is missing; send an itm without loc',
      'the technical name "with/slash" contains /, which separates the names of a path',
      'name: english is not a locale; expected language and country like en_GB',
      'SUCCESS',
    ])
    const after = await api.db.rows<{ count: number }>(sql`select count(*)::int from history`)
    expect(after[0]!.count - before[0]!.count).toBe(2)
  })

  test('names are compared after normalisation', async () => {
    await persist(keyword('Cafe\u0301'))
    expect(statuses(await persist(keyword('  Caf\u00e9 ')))).toEqual(['ERROR'])
  })

  test('an id beyond 2^53 is no object, not a neighbour', async () => {
    const text = JSON.stringify({ schemaVersion, kwds: { kwd: [keyword('Y')] } }).replace(
      '{"name"',
      '{"id":9223372036854775807,"name"',
    )
    const reply = await api.post(`${base}/persist`, text)
    expect(reply.json.responses.response[0].description).toBe('no keyword has the id 9223372036854775807')
  })

  test('a keyword is created and another moved below it in one message', async () => {
    await persist(keyword('Nomad'))
    const records = await persist(
      keyword('Camp'),
      { path: '/Nomad', parentPath: '/Camp' },
      keyword('Tent', '/Camp/Nomad'),
    )
    expect(outcomes(records)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
    expect(await pathsBelow('/Camp')).toEqual(['/Camp/Nomad', '/Camp/Nomad/Tent'])
  })

  test('with a path, parentPath is where the keyword shall be; where it is already, nothing moves', async () => {
    await persist(keyword('From'), keyword('To'), keyword('Item', '/From'))
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
    const [a, b] = await persist(keyword('WinA'), keyword('WinB'))
    await persist({ id: a.id, path: '/WinB', parentId: b.id, parentPath: '/' })
    expect(await pathsBelow('/WinB')).toEqual(['/WinB/WinA'])
  })

  test('meta keeps what senders put there; what the system knows is not taken from them', async () => {
    const sent = {
      itm: [...meta({ owner: 'kim' }).meta.itm, ...meta({ creationUser: 'x', orderNumber: '9' }).meta.itm],
    }
    const [{ id }] = await persist({ ...keyword('Noted'), meta: sent })
    await persist({ id, ...meta({ note: 'n' }) })
    const kwd = await keywordOf(id)
    const texts = kwd.meta!.itm!.map(({ key, value }) => `${key} ${value}`)
    expect(texts).toEqual(expect.arrayContaining(['owner kim', 'note n', 'creationUser kim']))
    expect(texts).not.toContain('orderNumber 9')
  })

  test.each([
    ['x'.repeat(255), 'SUCCESS'],
    ['x'.repeat(256), 'the technical name has 256 characters; at most 255 are allowed'],
    ["'; drop table keyword; --", 'SUCCESS'],
    ['..', 'the technical name cannot be .., which has another meaning in paths; choose another'],
    ['${name} $1 %s \\', 'SUCCESS'],
    ['tab\tbetween', 'the technical name contains a control character; remove it'],
    ['right\u202eto left', 'the technical name contains a control character; remove it'],
  ])('the name %j: %s', async (name, outcome) => {
    const records = await persist(keyword(name))
    expect(outcomes(records)).toEqual([outcome])
    if (outcome === 'SUCCESS') expect(records[0].path).toBe(`/${name}`)
  })

  test('a path of 2,000 bytes is stored, a longer one refused, also where it grows by a move above it', async () => {
    const segment = (letter: string) => letter.repeat(249)
    const deep = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(segment)
    await persist(...deep.map((name, i) => keyword(name, `/${deep.slice(0, i).join('/')}`)))
    const path = `/${deep.join('/')}`
    expect(outcomes(await persist(keyword('é'.repeat(124), path), keyword(`${'é'.repeat(125)}`, path)))).toEqual([
      'SUCCESS',
      expect.stringMatching(/^the path .* would have more than 2000 bytes or 64 levels$/),
    ])
    const records = await persist(
      keyword('Before'),
      { path: `/${deep[0]}`, ...keyword(`${deep[0]}xx`) },
      keyword('After'),
      {
        path: `/${deep[0]}`,
        ...keyword(`${deep[0]}x`),
      },
    )
    expect(outcomes(records)).toEqual([
      'SUCCESS',
      'a path below the keyword would have more than 2000 bytes or 64 levels',
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
    const count = (from: number, to: number) => {
      const batch = Array.from({ length: to - from }, (_, i) =>
        keyword(`n${from + i}`, i === 0 ? undefined : `/n${from}`),
      )
      return statementsOf(api, () => persist(...batch))
    }
    expect(await count(1000, 2000)).toBe(await count(0, 10))
  })

  test('writers that race for one name: exactly one wins', async () => {
    const records = await Promise.all(Array.from({ length: 20 }, () => persist(keyword('Contested'))))
    expect(statuses(records.flat()).filter((status) => status === 'SUCCESS')).toHaveLength(1)
  })
})

describe('retrieve', () => {
  test('level says how deep: 1 by default, -1 for all; parents come before children', async () => {
    await persist(keyword('L0'), keyword('L1', '/L0'), keyword('L2', '/L0/L1'), keyword('L3', '/L0/L1/L2'))
    expect(await pathsBelow('/L0', 1)).toEqual(['/L0/L1'])
    expect(await pathsBelow('L0/', 2)).toEqual(['/L0/L1', '/L0/L1/L2'])
    expect(await pathsBelow('/L0')).toEqual(['/L0/L1', '/L0/L1/L2', '/L0/L1/L2/L3'])
    expect((await retrieve({ path: '/L0' })).kwds!.kwd).toHaveLength(1)
  })

  test('a keyword without children gives an empty list, an unknown path 404', async () => {
    await persist(keyword('Lonely'))
    expect((await retrieve({ path: '/Lonely' })).kwds).toEqual({})
    expect(await statusOf({ path: '/Unknown' })).toBe(404)
  })

  test('the largest level is all levels', async () => {
    await persist(keyword('Depth'), keyword('More', '/Depth'))
    expect(await pathsBelow('/Depth', 2147483647)).toEqual(['/Depth/More'])
  })

  test('more keywords than a page holds come complete and in order', async () => {
    const names = Array.from({ length: 2100 }, (_, i) => `p${i}`)
    await persist(keyword('Pages'))
    for (const part of [0, 700, 1400]) {
      await persist(...names.slice(part, part + 700).map((name) => keyword(name, '/Pages')))
    }
    expect(await pathsBelow('/Pages')).toEqual(names.map((name) => `/Pages/${name}`).toSorted())
  })

  test.each([0, -2, 1.5, 2147483648, 'x'])('level %j is refused', async (level) => {
    const reply = await api.post(`${base}/retrieve`, { path: '/', level })
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
    expect(await statusOf({ path: '/', retrieveLinks: true })).toBe(200)
  })

  test('names with signs that SQL and paths treat specially are found by their path only', async () => {
    await persist(keyword('100%'), keyword('a_b'), keyword('under', '/100%'), keyword("O'Neil; drop table keyword"))
    expect(await pathsBelow('/100%')).toEqual(['/100%/under'])
    expect(await pathsBelow('/a_b')).toEqual([])
  })
})

describe.each(formatNames)('in %s', (format) => {
  const calls = resourceOf(api, 'keywords', format)
  const listed = ({ kwds }: Envelope) => kwds?.kwd ?? []

  test('persisting a retrieved message changes nothing', async () => {
    const top = `Round ${format}`
    const itm = [{ value: 'Größe <&>' }, { value: 'Size "x"', loc: 'en_GB' }, { value: 'größe', loc: 'de_DE' }]
    const noted = { itm: [{ value: 'n', pos: 1, key: 'note', loc: 'en_GB', order: 'a', mode: 'full' }] }
    await calls.persist(
      keyword(top),
      { name: { itm }, meta: noted, parentPath: `/${top}` },
      keyword('Deep', `/${top}/Größe <&>`),
    )
    const request = { path: `/${top}`, level: -1, retrieveLinks: true }
    const before = listed(await calls.retrieve(request))
    const { history, outbox } = await changesBy(api, async () => {
      const records = await calls.persist(...before)
      expect(new Set(outcomes(records))).toEqual(new Set(['SUCCESS']))
    })
    expect([history, outbox]).toEqual([[], []])
    expect(listed(await calls.retrieve(request))).toEqual(before)
  })

  test('move, copy and delete work', async () => {
    const top = `Acts ${format}`
    await calls.persist(keyword(top), keyword('a', `/${top}`), keyword('b', `/${top}`))
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
