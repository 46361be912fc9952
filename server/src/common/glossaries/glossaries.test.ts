import { formats } from '@kontor/contract'
import { describe, expect, test } from 'vitest'
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
const base = addressOf('glossaries')
const { persist, perform, retrieve } = resourceOf(api, 'glossaries')
const entries = resourceOf(api, 'glossaryEntries')

const listed = ({ glossaries }: Envelope) => glossaries?.glossary ?? []
const namesIn = (envelope: Envelope) => listed(envelope).map(({ name }) => name)
const byName = async (name: string) => listed(await retrieve({ names: [name] }))[0]!
const ownMeta = async (name: string) =>
  (await byName(name)).meta!.itm!.filter(({ key }) => !/Date$|User$|^getNumber/.test(key!))

describe('persist', () => {
  test('creates under the tid that was sent, or under one of its own', async () => {
    const records = await persist({ name: 'Sailing', tid: 'sailing' }, { name: 'Rowing' })
    expect(records).toMatchObject([
      { status: 'SUCCESS', action: 'create', dataType: 'glossary', id: expect.any(Number), tid: 'sailing' },
      { status: 'SUCCESS', action: 'create', dataType: 'glossary', id: expect.any(Number), tid: expect.any(String) },
    ])
    expect(records[1]!.tid).toMatch(/^[0-9a-f]{8}-/)
  })

  test('updates by id or tid; the tid wins when both are sent, and what was not sent stays', async () => {
    const [one, two] = await persist({ name: 'One', tid: 'one' }, { name: 'Two', tid: 'two', ...meta({ a: '1' }) })
    const records = await persist({ id: one!.id, name: 'Uno' }, { id: one!.id, tid: 'two', ...meta({ b: '2' }) })
    expect(records).toMatchObject([
      { action: 'update', id: one!.id, tid: 'one' },
      { action: 'update', id: two!.id, tid: 'two' },
    ])
    expect((await byName('Uno')).tid).toBe('one')
    expect(await ownMeta('Two')).toEqual([
      { key: 'a', value: '1' },
      { key: 'b', value: '2' },
    ])
  })

  test('an unknown id is refused, also beyond 2^53, and also where the name is free', async () => {
    const text = '{"schemaVersion":"5.6.0","glossaries":{"glossary":[{"id":9223372036854775807,"name":"Huge"}]}}'
    const reply = await api.post(`${base}/persist`, text)
    expect(reply.text).toContain('"id":9223372036854775807')
    expect(outcomes(reply.json.responses.response)).toEqual(['no glossary has the id 9223372036854775807'])
    expect(outcomes(await persist({ id: 99999999, name: 'Nobody' }))).toEqual(['no glossary has the id 99999999'])
  })

  test('an unknown tid beside a known id creates: the tid decides', async () => {
    const [known] = await persist({ name: 'Known' })
    expect((await persist({ id: known!.id, tid: 'unknown', name: 'Other' }))[0]).toMatchObject({ action: 'create' })
  })

  test('a refused item changes nothing and leaves no trace; its neighbours are stored, in order', async () => {
    await persist({ name: 'Taken' })
    const { history, outbox } = await changesBy(api, async () => {
      const records = await persist(
        { name: 'First' },
        { name: 'Taken' },
        { name: 'First' },
        {},
        { name: '   ' },
        { name: 'Valued', vals: { val: [{ attr: 'colour', itm: [{ value: 'red' }] }] } },
        { name: 'Last', tid: 'last' },
        { tid: 'last', name: 'Really last' },
      )
      expect(outcomes(records)).toEqual([
        'SUCCESS',
        'a glossary with the name Taken exists already',
        'a glossary with the name First exists already',
        'name is missing',
        'name is missing',
        'vals: the attribute colour is not registered for glossaries',
        'SUCCESS',
        'SUCCESS',
      ])
      expect(codes(records)).toEqual([undefined, '1005', '1005', '1001', '1001', '1001', undefined, undefined])
    })
    expect(history.map(({ action, user }) => `${action} by ${user}`)).toEqual(['create by kim', 'create by kim'])
    expect(history[1]!.changes).toMatchObject({ name: { to: 'Really last' } })
    expect(outbox.map(({ event, dataType }) => `${event} ${dataType}`)).toEqual(['CREATE glossary', 'CREATE glossary'])
    expect(namesIn(await retrieve()).filter((name) => name!.includes('ast'))).toEqual(['Really last'])
  })

  test('two glossaries can change names in one message', async () => {
    const [a, b] = await persist({ name: 'SwapA' }, { name: 'SwapB' })
    const records = await persist(
      { id: a!.id, name: 'Between' },
      { id: b!.id, name: 'SwapA' },
      { id: a!.id, name: 'SwapB' },
    )
    expect(statuses(records)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
    expect((await byName('SwapA')).id).toBe(b!.id)
  })

  test('names that look the same are the same', async () => {
    await persist({ name: 'Cafe\u0301' })
    expect(codes(await persist({ name: 'Caf\u00e9' }))).toEqual(['1005'])
    expect(namesIn(await retrieve({ names: ['  Cafe\u0301'] }))).toEqual(['Caf\u00e9'])
  })

  test.each([
    ['x'.repeat(255), 'SUCCESS'],
    ['x'.repeat(256), 'name has 256 characters; at most 255 are allowed'],
    ["'; drop table glossary; --", 'SUCCESS'],
    ['${name} $1 %s \\ {{x}}', 'SUCCESS'],
    ['line\nbreak', 'name contains a control character; remove it'],
    ['right\u202eto left', 'name contains a control character; remove it'],
    ['\u0085', 'name contains a control character; remove it'],
    ['一二三🐳', 'SUCCESS'],
  ])('the name %j: %s', async (name, outcome) => {
    expect(outcomes(await persist({ name }))).toEqual([outcome])
    if (outcome === 'SUCCESS') expect((await byName(name)).name).toBe(name)
  })

  test('costs the same number of statements for 10 glossaries as for 1,000', async () => {
    const batch = (from: number, to: number, name: string) =>
      Array.from({ length: to - from }, (_, i) => ({ name: `${name} ${from + i}`, tid: `batch-${from + i}` }))
    const few = await statementsOf(api, () => persist(...batch(0, 10, 'new')))
    expect(await statementsOf(api, () => persist(...batch(10, 1010, 'new')))).toBe(few)
    expect(await statementsOf(api, () => persist(...batch(0, 1000, 'changed')))).toBe(few)
  })

  test('of clients that race for one name exactly one wins, and the others get an error', async () => {
    const records = await Promise.all(Array.from({ length: 20 }, () => persist({ name: 'Contested' })))
    expect(statuses(records.flat()).filter((status) => status === 'SUCCESS')).toHaveLength(1)
    expect(codes(records.flat()).filter((code) => code === '1005')).toHaveLength(19)
  })

  test('batches that race in opposite order do not harm each other', async () => {
    const names = Array.from({ length: 20 }, (_, i) => ({ name: `cross ${i}` }))
    const records = await Promise.all([persist(...names), persist(...names.toReversed())])
    expect(statuses(records.flat()).filter((status) => status === 'SUCCESS')).toHaveLength(20)
  })
})

describe('meta', () => {
  test('keeps what senders put there, by key, locale and position; an item without text is removed', async () => {
    const itm = [
      { key: 'owner', value: 'kim' },
      { key: 'hint', value: 'Boats', loc: 'en_GB' },
      { key: 'hint', value: 'Boote', loc: 'de_DE', order: '2' },
      { key: 'list', value: 'a', pos: 0 },
      { key: 'list', value: 'b', pos: 1 },
      { value: 'without a key' },
    ]
    await persist({ name: 'Noted', tid: 'noted', meta: { itm } })
    expect(await ownMeta('Noted')).toEqual(itm.slice(0, 5))
    await persist({
      tid: 'noted',
      meta: {
        itm: [
          { key: 'hint', loc: 'en_GB' },
          { key: 'owner', value: 'ada' },
        ],
      },
    })
    expect(await ownMeta('Noted')).toEqual([{ key: 'owner', value: 'ada' }, ...itm.slice(2, 5)])
  })

  test('values of the system cannot be set by senders', async () => {
    const lies = meta({ creationUser: 'nobody', modificationDate: '1999-01-01T00:00:00Z', getNumberOfTerms: '99' })
    await persist({ name: 'Truthful', ...lies })
    const truth = Object.fromEntries((await byName('Truthful')).meta!.itm!.map(({ key, value }) => [key, value]))
    expect(truth).toEqual({
      creationUser: 'kim',
      creationDate: expect.stringMatching(/^20.*Z$/),
      modificationUser: 'kim',
      modificationDate: expect.stringMatching(/^20.*Z$/),
      getNumberOfTerms: '0',
      getNumberOfSentences: '0',
    })
  })

  test('a position that no list can have is refused', async () => {
    const item = '{"key":"x","value":"y","pos":9007199254740993}'
    const text = `{"schemaVersion":"5.6.0","glossaries":{"glossary":[{"name":"P","meta":{"itm":[${item}]}}]}}`
    const reply = await api.post(`${base}/persist`, text)
    expect(outcomes(reply.json.responses.response)).toEqual(['meta x: 9007199254740993 is not a position'])
  })
})

describe('retrieve', () => {
  test('by names, by ids, by both, or all; the known ones are returned where some are not', async () => {
    const [a, b] = await persist({ name: 'GetA' }, { name: 'GetB' })
    expect(namesIn(await retrieve({ names: ['GetA'] }))).toEqual(['GetA'])
    expect(namesIn(await retrieve({ ids: [b!.id, 99999999] }))).toEqual(['GetB'])
    expect(namesIn(await retrieve({ names: ['GetB', 'NoSuch'], ids: [a!.id] }))).toEqual(['GetA', 'GetB'])
    expect(namesIn(await retrieve())).toEqual(expect.arrayContaining(['GetA', 'GetB']))
    expect(namesIn(await retrieve({ names: [], ids: [] }))).toEqual(expect.arrayContaining(['GetA', 'GetB']))
  })

  test('without a body all are returned, as JSON', async () => {
    const reply = await api.post(`${base}/retrieve`)
    expect(reply.headers['content-type']).toBe(formats.json.contentType)
    expect(namesIn(reply.json).length).toBeGreaterThan(2)
    expect(reply.json.meta.itm).toContainEqual({ key: 'itemInformationType', value: 'glossary' })
  })

  test.each([{ names: ['NoSuch'] }, { ids: [99999999] }, { names: ['NoSuch'], ids: [99999999] }])(
    'where none exists it is 404: %j',
    async (request) => {
      const reply = await api.post(`${base}/retrieve`, request)
      expect(reply.status).toBe(404)
      expect(reply.text).toContain('none of the glossaries exists')
    },
  )

  test('entries come on request, under either name of the flag, and are counted', async () => {
    const [{ id }] = await persist({ name: 'Full', tid: 'full' })
    const entry = (type: string, value: string) => ({ parentId: id, loc: 'en_GB', type, ...meta({ value }) })
    await entries.persist(entry('term', 'sail'), entry('term', 'mast'), entry('sentence', 'Set the sails.'))
    for (const flag of ['retrieveEntries', 'retrieveLinks']) {
      const reply = await api.post(`${base}/retrieve`, { ids: [id], [flag]: true })
      expect(reply.json.glossaryEntries.glossaryEntry, flag).toHaveLength(3)
    }
    for (const request of [{ ids: [id] }, { ids: [id], retrieveEntries: false }]) {
      const { glossaries, glossaryEntries } = await retrieve(request)
      expect(glossaryEntries).toBeUndefined()
      expect(glossaries!.glossary![0]!.meta!.itm).toEqual(
        expect.arrayContaining(itemsOf({ getNumberOfTerms: '2', getNumberOfSentences: '1' }).itm),
      )
    }
  })

  test('a flag given under both names is refused', async () => {
    const reply = await api.post(`${base}/retrieve`, { retrieveEntries: true, retrieveLinks: true })
    expect(reply.status).toBe(400)
  })
})

describe('perform', () => {
  test('delete removes the glossary with its entries, by id or tid, once', async () => {
    const [one, two] = await persist({ name: 'Gone1', tid: 'gone-1' }, { name: 'Gone2' })
    const [entry] = await entries.persist({ parentTid: 'gone-1', loc: 'en_GB', type: 'term', ...meta({ value: 'x' }) })
    const { history, outbox } = await changesBy(api, async () => {
      const records = await perform(
        { type: 'delete', tid: 'gone-1' },
        { type: 'delete', id: one!.id },
        { type: 'delete', id: two!.id },
        { type: 'delete', id: 99999999 },
        { type: 'delete', tid: 'no such' },
      )
      expect(records).toMatchObject([
        { status: 'SUCCESS', action: 'delete', dataType: 'glossary', id: one!.id, tid: 'gone-1' },
        { status: 'ERROR', description: 'the glossary Gone1 was deleted by an earlier action', id: one!.id },
        { status: 'SUCCESS', id: two!.id },
        { status: 'ERROR', description: 'no glossary has the id 99999999' },
        { status: 'ERROR', description: 'no glossary has the tid no such' },
      ])
    })
    const deleted = [`glossary ${one!.id}`, `glossary ${two!.id}`, `glossaryEntry ${entry!.id}`]
    expect(outbox.map(({ event, dataType, id }) => `${event} ${dataType} ${id}`)).toEqual(
      deleted.map((object) => `DELETE ${object}`),
    )
    expect(history.map(({ dataType, id }) => `${dataType} ${id}`)).toEqual(deleted)
    expect((await api.post(`${base}/retrieve`, { names: ['Gone1'] })).status).toBe(404)
    const [left] = await api.db.rows<{ count: number }>(
      sql`select count(*)::int from glossary_entry where id = ${entry!.id}`,
    )
    expect(left!.count).toBe(0)
  })

  test('refuses what it does not know, each in its record', async () => {
    const [{ id }] = await persist({ name: 'Stays' })
    const records = await perform({ type: 'copy', id }, { type: 'delete' }, { type: 'delete', id, dataType: 'keyword' })
    expect(outcomes(records)).toEqual([
      '@type: no action copy here; expected one of delete',
      'the action delete names no object; give tid or id',
      '@dataType: keyword is not handled here; expected glossary',
    ])
    expect(records.map(({ action, dataType }) => `${action} ${dataType}`)).toEqual([
      'copy glossary',
      'delete glossary',
      'delete keyword',
    ])
  })
})

describe.each(formatNames)('in %s', (format) => {
  const calls = resourceOf(api, 'glossaries', format)

  test('persisting a retrieved message changes nothing', async () => {
    const itm = [
      { value: 'kim', key: 'owner' },
      { value: 'Über <Segel> & "Maste"', pos: 3, key: 'note', loc: 'de_DE', order: '1', mode: 'full' },
    ]
    const [created] = await calls.persist({ name: `Round ${format} & <trip>`, meta: { itm } })
    const request = { ids: [created!.id], retrieveEntries: true }
    const before = await calls.retrieve(request)
    const { history, outbox } = await changesBy(api, async () => {
      expect(await calls.persist(...listed(before))).toMatchObject([{ status: 'SUCCESS', action: 'update' }])
    })
    expect([history, outbox]).toEqual([[], []])
    expect(listed(await calls.retrieve(request))).toEqual(listed(before))
  })

  test('delete works', async () => {
    const [created] = await calls.persist({ name: `Delete ${format}` })
    expect(statuses(await calls.perform({ type: 'delete', id: created!.id }))).toEqual(['SUCCESS'])
  })
})
