import { beforeAll, describe, expect, test } from 'vitest'
import {
  addressOf,
  changesBy,
  codes,
  type Envelope,
  formatNames,
  itemsOf,
  meta,
  outcomes,
  resourceOf,
  statementsOf,
  statuses,
} from '../../../test/common.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'

const api = withServer()
const base = addressOf('glossaryEntries')
const glossaries = resourceOf(api, 'glossaries')
const { persist, perform } = resourceOf(api, 'glossaryEntries')

let boats: number
let harbour: number
beforeAll(async () => {
  const names = ['Boats', 'Harbour', 'Mass', 'Idle']
  const created = await glossaries.persist(...names.map((name) => ({ name, tid: name.toLowerCase() })))
  ;[boats, harbour] = created.map(({ id }) => id) as [number, number]
})

const term = (value: string, more: object = {}) => ({
  parentTid: 'boats',
  loc: 'de_DE',
  type: 'term',
  meta: { itm: [{ value, key: 'value', loc: 'de_DE' }] },
  ...more,
})
const translation = (loc: string, values: Record<string, string>, more: object = {}) => ({
  ...itemsOf(values),
  loc,
  ...more,
})
const links = (...itms: object[]) => ({ links: { itms } })

const entriesIn = ({ glossaryEntries }: Envelope) => glossaryEntries?.glossaryEntry ?? []
const all = async (request: object = {}) => entriesIn(await glossaries.retrieve({ retrieveEntries: true, ...request }))
const entryOf = async (tid: string) => (await all({ ids: [boats, harbour] })).find((entry) => entry.tid === tid)!
type Entry = Awaited<ReturnType<typeof entryOf>>
const textsOf = ({ itm = [] }: { itm?: { key?: string; value?: string }[] }) =>
  Object.fromEntries(itm.map(({ key, value }) => [key, value]))
/** The translations of an entry by locale, without who and when. */
const translationsOf = ({ links }: Entry) =>
  Object.fromEntries(
    (links?.itms ?? []).map((group) => {
      const { lastEditedDate: _, lastEditedUsername: __, ...texts } = textsOf(group)
      return [group.loc, { type: group.type, ...texts }]
    }),
  )

describe('persist', () => {
  test('creates an entry with translations in the glossary that id or tid name', async () => {
    const records = await persist(
      term('Segel', { tid: 'segel', ...links(translation('en_GB', { value: 'sail', similarity: '90' })) }),
      term('Mast', { tid: 'mast', parentTid: undefined, parentId: boats }),
    )
    expect(records).toMatchObject([
      { status: 'SUCCESS', action: 'create', dataType: 'glossaryEntry', id: expect.any(Number), tid: 'segel' },
      { status: 'SUCCESS', action: 'create', dataType: 'glossaryEntry', id: expect.any(Number), tid: 'mast' },
    ])
    const edited = { lastEditedUsername: 'kim', lastEditedDate: expect.stringMatching(/^20.*Z$/) }
    const entry = await entryOf('segel')
    expect(entry).toMatchObject({ parentId: boats, parentTid: 'boats', type: 'term', loc: 'de_DE', id: records[0]!.id })
    expect(entry.meta!.itm![0]).toEqual({ value: 'Segel', key: 'value', loc: 'de_DE' })
    expect(textsOf(entry.meta!)).toEqual({ value: 'Segel', forbidden: 'false', ...edited })
    expect(entry.links!.itms).toMatchObject([{ loc: 'en_GB', type: 'term' }])
    expect(textsOf(entry.links!.itms![0]!)).toEqual({ value: 'sail', similarity: '90', forbidden: 'false', ...edited })
  })

  test('updates by id or tid what was sent; the tid wins, for the entry as for its glossary', async () => {
    const [one] = await persist(term('eins', { tid: 'e1' }), term('zwei', { tid: 'e2' }))
    const records = await persist(
      { id: one!.id, meta: itemsOf({ value: 'uno', note: 'n' }) },
      { id: one!.id, tid: 'e2', type: 'sentence', parentId: boats, parentTid: 'harbour' },
    )
    expect(records).toMatchObject([
      { action: 'update', tid: 'e1' },
      { action: 'update', tid: 'e2' },
    ])
    expect(textsOf((await entryOf('e1')).meta!)).toMatchObject({ value: 'uno', note: 'n', forbidden: 'false' })
    expect(await entryOf('e2')).toMatchObject({ type: 'sentence', loc: 'de_DE', parentId: harbour })
  })

  test('an entry is created and changed in one message', async () => {
    const records = await persist(term('neu', { tid: 'fresh' }), { tid: 'fresh', meta: itemsOf({ value: 'neuer' }) })
    expect(records.map(({ action }) => action)).toEqual(['create', 'update'])
    expect(textsOf((await entryOf('fresh')).meta!).value).toBe('neuer')
  })

  test('refusals are reported in their records and do not affect the others', async () => {
    const { history } = await changesBy(api, async () => {
      const records = await persist(
        term('gut 1'),
        {},
        term('x', { parentTid: undefined }),
        term('x', { parentTid: 'no such' }),
        term('x', { parentTid: undefined, parentId: 99999999 }),
        term('x', { loc: 'german' }),
        term('  '),
        term('x', { meta: { itm: [{ value: 'sail', key: 'value', loc: 'en_GB' }] } }),
        term('x', { meta: itemsOf({ value: 'x', forbidden: 'perhaps' }) }),
        term('x', { vals: { val: [{ attr: 'colour' }] } }),
        { id: 99999999, meta: itemsOf({ value: 'x' }) },
        term('gut 2'),
      )
      expect(outcomes(records)).toEqual([
        'SUCCESS',
        'parentId or parentTid, loc, type, meta value missing; a new entry needs them',
        'parentId or parentTid missing; a new entry needs them',
        'no glossary has the tid no such',
        'no glossary has the id 99999999',
        'loc: german is not a locale; expected language and country like en_GB',
        'meta value missing; a new entry needs them',
        'meta value: its loc en_GB is not that of the entry (de_DE)',
        'meta forbidden: perhaps is not true or false',
        'vals: the attribute colour is not registered for glossary entries',
        'no glossaryEntry has the id 99999999',
        'SUCCESS',
      ])
    })
    expect(history.map(({ action, dataType }) => `${action} ${dataType}`)).toEqual([
      'create glossaryEntry',
      'create glossaryEntry',
    ])
  })

  test('a wrong type is a fault of the message', async () => {
    const body = { schemaVersion: '5.6.0', glossaryEntries: { glossaryEntry: [term('x', { type: 'word' })] } }
    const reply = await api.post(`${base}/persist`, body)
    expect(reply.status).toBe(400)
    expect(reply.text).toContain('/pim/glossaryEntries/glossaryEntry[1]/@type')
  })

  test('of several values the one in the locale of the entry counts', async () => {
    const itm = [
      { value: 'sail', key: 'value', loc: 'en_GB' },
      { value: 'Segel', key: 'value', loc: 'de_DE' },
    ]
    await persist(term('', { tid: 'both', meta: { itm } }))
    expect(textsOf((await entryOf('both')).meta!).value).toBe('Segel')
  })

  test('the flag forbidden is kept until it is sent again', async () => {
    await persist(term('Kahn', { tid: 'kahn', meta: itemsOf({ value: 'Kahn', forbidden: 'true' }) }))
    await persist({ tid: 'kahn', meta: itemsOf({ value: 'Kähne' }) })
    expect(textsOf((await entryOf('kahn')).meta!)).toMatchObject({ value: 'Kähne', forbidden: 'true' })
    await persist({ tid: 'kahn', meta: itemsOf({ forbidden: 'false' }) })
    expect(textsOf((await entryOf('kahn')).meta!)).toMatchObject({ value: 'Kähne', forbidden: 'false' })
  })

  test('who edited last is what the system saw', async () => {
    const lies = { lastEditedUsername: 'nobody', lastEditedDate: '1999-01-01T00:00:00Z' }
    const itm = itemsOf({ value: 'wahr', ...lies })
    await persist(term('', { tid: 'true', meta: itm, ...links(translation('en_GB', { value: 'true', ...lies })) }))
    const byAda = resourceOf(api, 'glossaryEntries', 'json', { token: api.adminToken })
    await byAda.persist({ tid: 'true', ...links(translation('fr_FR', { value: 'vrai' })) })
    const { meta: facts, links: groups } = await entryOf('true')
    expect(textsOf(facts!).lastEditedUsername).toBe('ada')
    expect(groups!.itms!.map((group) => textsOf(group).lastEditedUsername)).toEqual(['kim', 'ada'])
  })

  test.each([
    ["'; drop table glossary_entry; --"],
    ['${value} $1 %s \\ <b>&amp;</b>'],
    ['line\nbreak and \t tab'],
    ['right\u202eto left'],
    ['x'.repeat(100_000)],
  ])('the value is kept as it is: %j', async (value) => {
    const [record] = await persist(term(value))
    expect(textsOf((await entryOf(record!.tid!)).meta!).value).toBe(value)
  })

  test('costs the same number of statements for 10 entries as for 1,000', async () => {
    const batch = (count: number) =>
      Array.from({ length: count }, (_, i) =>
        term(`Wort ${i}`, { parentTid: 'mass', ...links(translation('en_GB', { value: `word ${i}` })) }),
      )
    const few = await statementsOf(api, () => persist(...batch(10)))
    expect(await statementsOf(api, () => persist(...batch(1000)))).toBe(few)
  })

  test('clients that race for one tid: one creates, the others change the same entry or are refused', async () => {
    const records = await Promise.all(Array.from({ length: 20 }, () => persist(term('Rennen', { tid: 'race' }))))
    expect(records.flat().filter(({ action, status }) => action === 'create' && status === 'SUCCESS')).toHaveLength(1)
    expect((await all()).filter(({ tid }) => tid === 'race')).toHaveLength(1)
  })
})

describe('translations', () => {
  const persistOn = (tid: string, ...groups: object[]) => persist({ tid, ...links(...groups) })

  test('delta merges, full replaces, a group without items removes, the others stay', async () => {
    await persist(
      term('Anker', {
        tid: 'anker',
        ...links(
          translation('en_GB', { value: 'anchor', similarity: '80', forbidden: 'true' }),
          translation('fr_FR', { value: 'ancre' }, { type: 'sentence' }),
          translation('it_IT', { value: 'ancora' }),
        ),
      }),
    )
    await persistOn('anker', translation('en_GB', { similarity: '70' }, { mode: 'delta' }))
    await persistOn('anker', translation('fr_FR', { value: "l'ancre" }), { loc: 'it_IT' })
    expect(translationsOf(await entryOf('anker'))).toEqual({
      en_GB: { type: 'term', value: 'anchor', similarity: '70', forbidden: 'true' },
      fr_FR: { type: 'sentence', value: "l'ancre", similarity: '100', forbidden: 'false' },
    })
    await persistOn('anker', translation('en_GB', { value: 'kedge' }, { mode: 'full' }))
    expect(translationsOf(await entryOf('anker')).en_GB).toEqual({
      type: 'term',
      value: 'kedge',
      similarity: '100',
      forbidden: 'false',
    })
  })

  test('what is sent again unchanged is no change, in either mode', async () => {
    await persist(term('Boot', { tid: 'boot', ...links(translation('en_GB', { value: 'boat' })) }))
    const byAda = resourceOf(api, 'glossaryEntries', 'json', { token: api.adminToken })
    for (const mode of ['delta', 'full', undefined]) {
      const { history } = await changesBy(api, () =>
        byAda.persist({ tid: 'boot', ...links(translation('en_GB', { value: 'boat' }, { mode })) }),
      )
      expect(history).toEqual([])
    }
    const { meta: facts, links: groups } = await entryOf('boot')
    expect([facts!, groups!.itms![0]!].map((items) => textsOf(items).lastEditedUsername)).toEqual(['kim', 'kim'])
  })

  test('removing what is not there is no fault', async () => {
    await persist(term('Tau', { tid: 'tau' }))
    expect(statuses(await persistOn('tau', { loc: 'en_GB' }))).toEqual(['SUCCESS'])
  })

  test.each([
    [{ itm: [{ key: 'value', value: 'x' }] }, 'links/itms/@loc: nothing is not a locale'],
    [translation('en', { value: 'x' }), 'links/itms/@loc: en is not a locale'],
    [translation('__proto__', { value: 'x' }), 'links/itms/@loc: __proto__ is not a locale'],
    [translation('en_GB', { similarity: '5' }), 'links/itms en_GB: the translation has no value'],
    [translation('en_GB', { value: 'x', similarity: '101' }), 'links/itms similarity: 101 is not a whole number'],
    [translation('en_GB', { value: 'x', similarity: '-1' }), 'links/itms similarity: -1 is not a whole number'],
    [translation('en_GB', { value: 'x', similarity: '9.5' }), 'links/itms similarity: 9.5 is not a whole number'],
    [translation('en_GB', { value: 'x', forbidden: 'yes' }), 'links/itms forbidden: yes is not true or false'],
    [translation('en_GB', { value: 'x' }, { type: 'word' }), 'links/itms/@type: word is not sentence or term'],
    [{ loc: 'en_GB', itms: [itemsOf({ value: 'x' })] }, 'links/itms en_GB: a translation has no groups inside'],
  ])('refuses %j', async (group, fault) => {
    const [record] = await persist(term('x', links(group)))
    expect(record).toMatchObject({ status: 'ERROR', description: expect.stringContaining(fault) })
    expect(codes([record!])).toEqual(['1001'])
  })
})

describe('in retrieved glossaries', () => {
  test('sourceLocales select entries, targetLocales translations; empty lists mean all', async () => {
    await glossaries.persist({ name: 'Select', tid: 'select' })
    const both = links(translation('fr_FR', { value: 'x' }), translation('it_IT', { value: 'y' }))
    await persist(
      term('d', { tid: 'd', parentTid: 'select', ...both }),
      term('e', { tid: 'e', parentTid: 'select', loc: 'en_GB', meta: itemsOf({ value: 'e' }), ...both }),
    )
    const select = async (request: object) =>
      (await all({ names: ['Select'], ...request })).map(
        (entry) => `${entry.tid} ${Object.keys(translationsOf(entry)).join()}`,
      )
    expect(await select({})).toEqual(['d fr_FR,it_IT', 'e fr_FR,it_IT'])
    expect(await select({ sourceLocales: [], targetLocales: [] })).toEqual(['d fr_FR,it_IT', 'e fr_FR,it_IT'])
    expect(await select({ sourceLocales: ['en_GB'] })).toEqual(['e fr_FR,it_IT'])
    expect(await select({ sourceLocales: ['de_DE', 'en_GB'], targetLocales: ['it_IT', 'pl_PL'] })).toEqual([
      'd it_IT',
      'e it_IT',
    ])
    expect(await select({ sourceLocales: ['pl_PL'] })).toEqual([])
    expect(await select({ targetLocales: ['pl_PL'] })).toEqual(['d ', 'e '])
  })

  test('more entries than a page holds come complete and in order', async () => {
    await glossaries.persist({ name: 'Long', tid: 'long' })
    for (const part of [0, 1, 2]) {
      await persist(...Array.from({ length: 700 }, (_, i) => term(`${part * 700 + i}`, { parentTid: 'long' })))
    }
    const values = (await all({ names: ['Long'] })).map((entry) => textsOf(entry.meta!).value)
    expect(values).toEqual(Array.from({ length: 2100 }, (_, i) => `${i}`))
  })
})

describe('perform', () => {
  const place = (type: string, tid: string, values: Record<string, string>) => ({ type, tid, ...meta(values) })

  test.each(['copyToGlossary', 'copy'])('%s leaves the entry and makes another with all it has', async (type) => {
    const tid = `from-${type}`
    const [from] = await persist(
      term('Kopie', {
        tid,
        meta: itemsOf({ value: 'Kopie', forbidden: 'true', note: 'n' }),
        ...links(translation('en_GB', { value: 'copy', similarity: '50' })),
      }),
    )
    const { history, outbox } = await changesBy(api, async () => {
      const [record] = await perform(place(type, tid, { glossaryId: String(harbour) }))
      expect(record).toMatchObject({ status: 'SUCCESS', action: type, dataType: 'glossaryEntry' })
      expect(record!.tid).not.toBe(tid)
      const [source, copy] = [await entryOf(tid), await entryOf(record!.tid!)]
      expect(copy).toMatchObject({ parentId: harbour, links: source.links, loc: source.loc, type: source.type })
      expect(textsOf(copy.meta!)).toMatchObject({ value: 'Kopie', forbidden: 'true', note: 'n' })
      expect(source.parentId).toBe(boats)
    })
    expect(history).toMatchObject([{ action: 'copy', changes: { copyOf: from!.id, glossaryId: harbour } }])
    expect(outbox).toMatchObject([{ event: 'CREATE', dataType: 'glossaryEntry' }])
  })

  test.each(['moveToGlossary', 'move'])('%s puts the entry into the other glossary', async (type) => {
    const tid = `mover-${type}`
    const [{ id }] = await persist(term('Umzug', { tid }))
    const { history, outbox } = await changesBy(api, async () => {
      expect(await perform({ type, id, ...meta({ glossaryTid: 'harbour' }) })).toMatchObject([
        { status: 'SUCCESS', action: type, dataType: 'glossaryEntry', id, tid },
      ])
    })
    expect((await entryOf(tid)).parentTid).toBe('harbour')
    expect(history).toMatchObject([{ id, action: 'move', changes: { glossaryId: { from: boats, to: harbour } } }])
    expect(outbox).toEqual([{ id, event: 'UPDATE', dataType: 'glossaryEntry' }])
  })

  test('a move to where the entry is changes nothing; the tid of a glossary wins over its id', async () => {
    await persist(term('hier', { tid: 'here' }))
    const { history } = await changesBy(api, async () => {
      const records = await perform(place('move', 'here', { glossaryId: String(harbour), glossaryTid: 'boats' }))
      expect(statuses(records)).toEqual(['SUCCESS'])
    })
    expect(history).toEqual([])
  })

  test('actions are done in their order, whatever their types', async () => {
    await persist(term('Reise', { tid: 'journey' }))
    const move = (glossaryTid: string) => place('move', 'journey', { glossaryTid })
    const copy = place('copy', 'journey', { glossaryTid: 'boats' })
    const { history } = await changesBy(api, async () => {
      const end = { type: 'delete', tid: 'journey' }
      const records = await perform(move('harbour'), copy, move('boats'), move('harbour'), move('harbour'), end, copy)
      const done = Array.from({ length: 6 }, () => 'SUCCESS')
      expect(outcomes(records)).toEqual([...done, 'no glossaryEntry has the tid journey'])
      expect((await entryOf(records[1].tid)).parentTid).toBe('boats')
    })
    const moved = history.filter(({ action }) => action === 'move').map(({ changes }) => changes)
    expect(moved).toEqual([
      { glossaryId: { from: boats, to: harbour } },
      { glossaryId: { from: harbour, to: boats } },
      { glossaryId: { from: boats, to: harbour } },
    ])
  })

  test.each(['copy', 'copyToGlossary', 'move', 'moveToGlossary'])('%s is refused where it cannot be', async (type) => {
    await persist(term('fest', { tid: `fixed-${type}` }))
    const tid = `fixed-${type}`
    const records = await perform(
      { type, tid },
      place(type, tid, { glossaryId: 'boats' }),
      place(type, tid, { glossaryId: '99999999' }),
      place(type, tid, { glossaryId: '9'.repeat(30) }),
      place(type, tid, { glossaryTid: 'no such' }),
      place(type, 'no such', { glossaryTid: 'boats' }),
      { type, ...meta({ glossaryTid: 'boats' }) },
    )
    expect(outcomes(records)).toEqual([
      `${type} needs meta glossaryId or glossaryTid`,
      'meta glossaryId: boats is not an id',
      'no glossary has the id 99999999',
      `meta glossaryId: no object has the id ${'9'.repeat(30)}`,
      'no glossary has the tid no such',
      'no glossaryEntry has the tid no such',
      `the action ${type} names no object; give tid or id`,
    ])
    expect((await entryOf(tid)).parentTid).toBe('boats')
  })

  test('delete removes the entry once, by id or tid', async () => {
    const [one, two] = await persist(term('weg 1', { tid: 'away-1' }), term('weg 2'))
    const { history } = await changesBy(api, async () => {
      const records = await perform(
        { type: 'delete', tid: 'away-1', id: two!.id },
        { type: 'delete', id: one!.id },
        { type: 'delete', id: two!.id },
        { type: 'delete' },
      )
      expect(outcomes(records)).toEqual([
        'SUCCESS',
        'the glossary entry away-1 was deleted by an earlier action',
        'SUCCESS',
        'the action delete names no object; give tid or id',
      ])
    })
    expect(history).toMatchObject([
      { id: one!.id, action: 'delete', changes: { value: 'weg 1' } },
      { id: two!.id, action: 'delete' },
    ])
    expect(await entryOf('away-1')).toBeUndefined()
  })

  test('costs the same number of statements for 10 actions as for 1,000', async () => {
    const prepare = async (count: number) =>
      (await persist(...Array.from({ length: count }, (_, i) => term(`Last ${i}`, { parentTid: 'mass' })))).map(
        ({ id }) => id,
      )
    for (const type of ['copy', 'move', 'delete']) {
      const [few, many] = [await prepare(10), await prepare(1000)]
      const cost = (ids: unknown[]) =>
        statementsOf(api, () => perform(...ids.map((id) => ({ type, id, ...meta({ glossaryTid: 'idle' }) }))))
      expect(await cost(many), type).toBe(await cost(few))
    }
  })

  test('entries never stay behind in a glossary that is deleted meanwhile', async () => {
    for (let round = 0; round < 10; round++) {
      await glossaries.persist({ name: 'Doomed', tid: 'doomed' })
      const [mover] = await persist(term('Flucht', { tid: `flight-${round}` }))
      const [written, moved, deleted] = await Promise.all([
        persist(term('spät', { parentTid: 'doomed' })),
        perform({ type: 'move', id: mover!.id, ...meta({ glossaryTid: 'doomed' }) }),
        glossaries.perform({ type: 'delete', tid: 'doomed' }),
      ])
      expect(statuses(deleted)).toEqual(['SUCCESS'])
      for (const records of [written, moved])
        expect(['SUCCESS', 'no glossary has the tid doomed']).toContain(outcomes(records)[0])
      const kept = await api.db.rows(sql`select id from glossary_entry where id = ${mover!.id as number}`)
      expect(kept).toHaveLength(moved[0]!.status === 'SUCCESS' ? 0 : 1)
    }
  })
})

describe.each(formatNames)('in %s', (format) => {
  const calls = resourceOf(api, 'glossaryEntries', format)
  const retrieval = resourceOf(api, 'glossaries', format)

  test('persisting a retrieved message changes nothing', async () => {
    await glossaries.persist({ name: `Round ${format}`, tid: `round-${format}` })
    const itm = [
      { value: 'Größe <&> "x"', key: 'value', loc: 'de_DE' },
      { value: 'true', key: 'forbidden' },
      { value: 'seen', pos: 1, key: 'note', loc: 'en_GB', order: 'a', mode: 'delta' },
    ]
    const groups = [
      translation('en_GB', { value: 'size', similarity: '0', forbidden: 'true' }, { type: 'sentence', mode: 'full' }),
      translation('fr_FR', { value: 'taille' }),
    ]
    const parent = { parentTid: `round-${format}` }
    await calls.persist(term('', { ...parent, meta: { itm }, ...links(...groups) }), term('schlicht', parent))
    const retrieve = async () =>
      entriesIn(await retrieval.retrieve({ names: [`Round ${format}`], retrieveEntries: true }))
    const before = await retrieve()
    expect(before).toHaveLength(2)
    const { history, outbox } = await changesBy(api, async () => {
      expect(await calls.persist(...before)).toMatchObject([{ action: 'update' }, { action: 'update' }])
    })
    expect([history, outbox]).toEqual([[], []])
    expect(await retrieve()).toEqual(before)
  })

  test('copy, move and delete work', async () => {
    const [{ id }] = await calls.persist(term('Werk'))
    const records = await calls.perform(
      { type: 'copyToGlossary', id, ...meta({ glossaryTid: 'harbour' }) },
      { type: 'moveToGlossary', id, ...meta({ glossaryTid: 'harbour' }) },
      { type: 'delete', id },
    )
    expect(records).toMatchObject([{ status: 'SUCCESS' }, { status: 'SUCCESS', id }, { status: 'SUCCESS', id }])
  })
})
