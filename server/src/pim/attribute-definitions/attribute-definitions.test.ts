import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../adapters/postgres/sql.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const base = '/api/core/v1/pim/attribute-definitions'
const schemaVersion = '5.6.0'

interface Def {
  tid: string
  type?: string
  [field: string]: unknown
}
const english = (value: string) => ({ itm: [{ value, loc: 'en_GB' }] })
const def = (tid: string, more: object = {}): Def => ({ tid, type: 'text', name: english(tid), ...more })
const persist = async (...attrDef: Def[]) => {
  const reply = await api.post(`${base}/persist`, { schemaVersion, attrDefs: { attrDef } })
  expect(reply.status, reply.text).toBe(200)
  return reply.json.responses.response
}
const remove = async (...action: object[]) => {
  const all = action.map((one) => ({ dataType: 'attrDefinition', type: 'delete', ...one }))
  const reply = await api.post(`${base}/perform`, { schemaVersion, actions: { action: all } })
  expect(reply.status, reply.text).toBe(200)
  return reply.json.responses.response
}
const force = { meta: { itm: [{ key: 'force', value: 'true' }] } }
const retrieve = (request: object, accept?: string) =>
  api.post(`${base}/retrieve`, request, { ...(accept && { accept }) })
const stored = async (tid: string) => (await retrieve({ tids: [tid] })).json.attrDefs.attrDef[0]
const values = (vals: object, tid = 'P1') =>
  api.db.run(sql`
    with c as (insert into classification (tid, created_by, modified_by) values (${`c-${tid}`}, 'a', 'a') returning id, tid),
         n as (insert into node (classification_id, tid, path, created_by, modified_by)
               select id, tid, '/' || tid, 'a', 'a' from c returning id)
    insert into product (level, tid, parent_id, node_id, name, vals, created_by, modified_by)
    select 0, ${tid}, id, id, ${tid}, ${JSON.stringify(vals)}::jsonb, 'a', 'a' from n`)

beforeEach(async () => {
  for (const table of [sql`product`, sql`node_attribute`, sql`node`, sql`classification`, sql`attr_def`]) {
    await api.db.run(sql`delete from ${table}`)
  }
})

describe('persist', () => {
  test('creates a definition by its tid, and changes it by the same call', async () => {
    expect(await persist(def('color'))).toMatchObject([
      { status: 'SUCCESS', action: 'create', dataType: 'attrDefinition', tid: 'color', id: expect.any(Number) },
    ])
    const german = { itm: [{ value: 'Farbe', loc: 'de_DE' }] }
    expect(await persist({ tid: 'color', type: 'text', name: german, tooltip: english('Pick one') })).toMatchObject([
      { status: 'SUCCESS', action: 'update', tid: 'color' },
    ])
    expect(await stored('color')).toMatchObject({
      tid: 'color',
      type: 'text',
      localized: 'false',
      name: {
        itm: [
          { value: 'color', loc: 'en_GB' },
          { value: 'Farbe', loc: 'de_DE' },
        ],
      },
      tooltip: english('Pick one'),
    })
  })

  test('refuses tables whose columns would be read as linked files or relations in imports', async () => {
    const table = { type: 'table', references: { itm: [{ value: 'width' }] } }
    const [, asset, relation, text, changed] = await persist(
      def('width'),
      def('asset', table),
      def('relation', table),
      def('relation'),
      def('relation', table),
    )
    for (const one of [asset, relation, changed])
      expect(one).toMatchObject({ status: 'ERROR', description: expect.stringContaining('choose another tid') })
    expect(text).toMatchObject({ status: 'SUCCESS' })
  })

  test('stores every field of a definition, and removes fields that are sent empty', async () => {
    const full = def('full', {
      localized: 'true',
      required: 'requiredInAllLanguages',
      domain: 'colours',
      noValidateAsRichText: 'true',
      abbr: { tid: 'ab', ...english('f') },
      tooltip: english('tip'),
      multiValued: { value: 'true', cardinality: 3 },
      validation: { type: '[a-z]+', minLength: 1, maxLength: 9 },
      domainVals: {
        allowNewValue: 'false',
        sortDirection: 'MANUAL',
        domainVal: [
          { tid: 'red', ...english('Red') },
          { tid: 'blue', ...english('Blue') },
        ],
      },
      defaultVal: { tid: 'red' },
      tags: { itm: [{ value: 'print' }] },
      meta: { itm: [{ key: 'owner', value: 'kim' }] },
    })
    expect(await persist(full)).toMatchObject([{ status: 'SUCCESS' }])
    const { meta, id: _, ...rest } = await stored('full')
    const { meta: __, ...sent } = full
    expect(rest).toEqual({ ...sent, domainVals: { ...(sent['domainVals'] as object), mode: 'FULL' } })
    expect(meta.itm).toContainEqual({ key: 'owner', value: 'kim' })
    expect(meta.itm.map(({ key }: { key: string }) => key)).toContain('creationDate')
    await persist({
      tid: 'full',
      type: 'text',
      defaultVal: {},
      validation: {},
      tags: {},
      domainVals: { mode: 'FULL', allowNewValue: 'false' },
    })
    expect(Object.keys(await stored('full'))).not.toEqual(expect.arrayContaining(['validation']))
    expect(await stored('full')).not.toMatchObject({ domainVals: expect.anything() })
  })

  test.each([
    ['string', 'text'],
    ['real', 'number'],
    ['Number', 'number'],
    ['date', 'date'],
    ['boolean', 'boolean'],
    ['ref', 'ref'],
    ['table', 'table'],
  ])('reads the type %s as %s', async (type, expected) => {
    expect(await persist(def('t', { type }))).toMatchObject([{ status: 'SUCCESS' }])
    expect((await stored('t')).type).toBe(expected)
  })

  test.each<[string, object, RegExp]>([
    ['an unknown type', { type: 'colour' }, /@type: unknown attribute type colour; expected text, number/],
    ['no name', { name: {} }, /name: a definition needs a name/],
    ['a name in no locale', { name: { itm: [{ value: 'x', loc: 'english' }] } }, /english is not a locale/],
    [
      'an expression that is not of RE2',
      { validation: { type: '(?=a)b' } },
      /validation\/@type: not a regular expression/,
    ],
    [
      'an expression whose matching takes long',
      { validation: { type: '(x?){900}x*y' } },
      /validation\/@type: compiles to 3605 instructions; at most 1024 are allowed/,
    ],
    [
      'an expression whose compiling takes long',
      { validation: { type: 'x{1000}'.repeat(140) } },
      /compiles to more than 1024 instructions/,
    ],
    ['a back-reference', { validation: { type: '(a)\\1' } }, /look-around and back-references/],
    [
      'lengths that exclude every text',
      { validation: { minLength: 5, maxLength: 2 } },
      /minLength 5 is above maxLength 2/,
    ],
    ['a length below nothing', { validation: { minLength: -1 } }, /@minLength: -1 is below 0/],
    [
      'validation of a number',
      { type: 'number', validation: { minLength: 1 } },
      /only attributes of type text or identifier have one/,
    ],
    ['a cardinality of nothing', { multiValued: { value: 'true', cardinality: 0 } }, /cardinality 0 allows no value/],
    [
      'several values of one',
      { multiValued: { value: 'false', cardinality: 2 } },
      /cardinality 2 needs the value true/,
    ],
    ['a value named twice', { domainVals: { domainVal: [{ tid: 'a' }, { tid: 'a' }] } }, /a is named twice/],
    [
      'an unknown order',
      { domainVals: { domainVal: [{ tid: 'a' }], sortDirection: 'UP' } },
      /unknown sortDirection UP; expected MANUAL, ASC/,
    ],
    ['an unknown mode', { domainVals: { domainVal: [{ tid: 'a' }], mode: 'SOME' } }, /unknown mode SOME/],
    [
      'an unknown language to sort by',
      { domainVals: { domainVal: [{ tid: 'a' }], sortLanguageId: 1 } },
      /no locale has the id 1/,
    ],
    ['a list of booleans', { type: 'boolean', domainVals: { domainVal: [{ tid: 'a' }] } }, /a boolean has no list/],
    [
      'a range of texts',
      { domainRange: { from: '1' } },
      /a text has no range; expected an attribute of type number or date/,
    ],
    ['a range upside down', { type: 'number', domainRange: { from: '10', to: '9' } }, /from 10 is above to 9/],
    ['a range of no dates', { type: 'date', domainRange: { from: 'May' } }, /May is not a date/],
    ['whole dates', { type: 'date', domainRange: { intOnly: 'true' } }, /intOnly is for the type number/],
    ['a default of another type', { type: 'number', defaultVal: { itm: [{ value: 'one' }] } }, /one is not a number/],
    [
      'a default outside of the list',
      { domainVals: { domainVal: [{ tid: 'a' }] }, defaultVal: { tid: 'b' } },
      /b is not in the list; expected one of a/,
    ],
    [
      'a default that does not match the pattern',
      { validation: { type: '[A-Z]+' }, defaultVal: { itm: [{ value: 'a' }] } },
      /defaultVal: "a" does not match/,
    ],
    [
      'a default that is too long',
      { validation: { maxLength: 2 }, defaultVal: { itm: [{ value: 'abc' }] } },
      /defaultVal: "abc" has 3 characters; at most 2/,
    ],
    [
      'a default out of range',
      { type: 'number', domainRange: { from: '1', to: '5' }, defaultVal: { itm: [{ value: '6' }] } },
      /defaultVal: 6 is above 5/,
    ],
    [
      'a default with a fraction, where whole numbers are expected',
      { type: 'number', domainRange: { intOnly: 'true' }, defaultVal: { itm: [{ value: '1.5' }] } },
      /defaultVal: 1.5 is not a whole number/,
    ],
    [
      'two defaults of one value',
      { defaultVal: { itm: [{ value: 'a' }, { value: 'b' }] } },
      /defaultVal: 2 values, but the attribute takes at most 1/,
    ],
    [
      'more defaults than values',
      { multiValued: { value: 'true', cardinality: 1 }, defaultVal: { itm: [{ value: 'a' }, { value: 'b' }] } },
      /defaultVal: 2 values, but the attribute takes at most 1/,
    ],
    ['a default key without a list', { defaultVal: { tid: 'b' } }, /has no list; send the value as itm/],
    ['columns of a text', { references: { itm: [{ value: 'x' }] } }, /only a table has columns/],
    [
      'a column that does not exist',
      { type: 'table', references: { itm: [{ value: 'nope' }] } },
      /no attribute definition has the tid nope/,
    ],
    ['itself as a column', { type: 'table', references: { itm: [{ value: 'bad' }] } }, /cannot be its own column/],
  ])('refuses %s, and stores the next item', async (_, more, description) => {
    const records = await persist(def('bad', more), def('good'))
    expect(records).toMatchObject([
      { status: 'ERROR', tid: 'bad', description: expect.stringMatching(description) },
      { status: 'SUCCESS', tid: 'good' },
    ])
    expect((await retrieve({ tids: ['bad'] })).status).toBe(404)
  })

  test('refuses a tid that could be mistaken for a column of a table', async () => {
    expect(await persist(def('size/width'))).toMatchObject([
      { status: 'ERROR', description: expect.stringMatching(/separates a table from its column/) },
    ])
  })

  test('a table accepts columns that the same message creates before it', async () => {
    const references = { itm: [{ value: 'width' }, { key: 'height' }] }
    const records = await persist(
      def('width', { type: 'number' }),
      def('height'),
      def('size', { type: 'table', references }),
    )
    expect(records).toMatchObject([{ status: 'SUCCESS' }, { status: 'SUCCESS' }, { status: 'SUCCESS' }])
    expect((await stored('size')).references.itm).toEqual([
      { value: 'width', pos: 0 },
      { value: 'height', pos: 1 },
    ])
  })

  test('adds to a list of values by tid, or replaces it when its mode is FULL', async () => {
    const list = (mode: string | undefined, ...tids: string[]) => ({
      domainVals: { ...(mode && { mode }), domainVal: tids.map((tid) => ({ tid, ...english(tid) })) },
    })
    const keys = async () => (await stored('c')).domainVals.domainVal.map(({ tid }: Def) => tid)
    await persist(def('c', list(undefined, 'red', 'blue')))
    await persist(def('c', list('delta', 'green')))
    expect(await keys()).toEqual(['red', 'blue', 'green'])
    await persist(def('c', list('FULL', 'green', 'red')))
    expect(await keys()).toEqual(['green', 'red'])
  })

  test('sorts a list by its labels in a language', async () => {
    const domainVal = [
      {
        tid: '1',
        itm: [
          { value: 'zebra', loc: 'en_GB' },
          { value: 'Äpfel', loc: 'de_DE' },
        ],
      },
      {
        tid: '2',
        itm: [
          { value: 'apple', loc: 'en_GB' },
          { value: 'Zebra', loc: 'de_DE' },
        ],
      },
      {
        tid: '3',
        itm: [
          { value: 'mango', loc: 'en_GB' },
          { value: 'Birne', loc: 'de_DE' },
        ],
      },
    ]
    const german = (await api.db.row<{ id: number }>(sql`select id from locale where tid = 'de_DE'`))!.id
    const order = async (more: object) => {
      await persist(def('s', { domainVals: { domainVal, mode: 'FULL', ...more } }))
      return (await stored('s')).domainVals.domainVal.map(({ tid }: Def) => tid).join('')
    }
    expect(await order({ sortDirection: 'ASC' })).toBe('231')
    expect(await order({ sortDirection: 'DESC', sortLanguageId: german })).toBe('231')
    expect(await order({ sortDirection: 'ASC', sortLanguageId: german })).toBe('132')
    expect(await order({ sortDirection: 'MANUAL' })).toBe('123')
  })

  test('costs the same few statements for one definition and for a thousand', async () => {
    const cost = async (count: number) => {
      const before = api.statements.length
      await persist(...Array.from({ length: count }, (_, i) => def(`n${i}`, { tooltip: english(`${count}`) })))
      return api.statements.length - before
    }
    await cost(1)
    expect(await cost(1000)).toBeLessThanOrEqual((await cost(1)) + 1) // the insert of what is new
  })

  test('fifty clients that create the same definition at once create one', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => persist(def('race'))))
    expect(all.flat().filter(({ action }) => action === 'create')).toHaveLength(1)
    expect(all.flat().every(({ status }) => status === 'SUCCESS')).toBe(true)
  })

  test('the history records what changed, and the outbox that it changed', async () => {
    const [{ id }] = await persist(def('h', { validation: { minLength: 1 } }))
    await persist(def('h', { name: english('New'), validation: {} }))
    await persist(def('h', { name: english('New') }))
    const history = await api.db.rows<{ action: string; changes: Record<string, unknown>; user_name: string }>(
      sql`select action, changes, user_name from history where object_id = ${id} order by id`,
    )
    expect(history).toMatchObject([
      { action: 'create', user_name: 'kim' },
      {
        action: 'update',
        changes: { name: { from: { en_GB: 'h' }, to: { en_GB: 'New' } }, validation: { from: { minLength: 1 } } },
      },
    ])
    const outbox = await api.db.rows<{ event: string }>(
      sql`select event from outbox where object_id = ${id} order by seq`,
    )
    expect(outbox.map(({ event }) => event)).toEqual(['CREATE', 'UPDATE'])
  })
})

describe('a definition that has values', () => {
  const domainVals = { domainVal: [{ tid: 'a' }, { tid: 'b' }, { tid: 'c' }] }
  test.each<[string, object, object, unknown, RegExp]>([
    ['type', {}, { type: 'number' }, 'x', /the type text would become number.*1 products.*P1/],
    ['localization', {}, { localized: 'true' }, 'x', /values without a locale would need one/],
    ['list', {}, { multiValued: { value: 'true' } }, 'x', /single values would become lists/],
    [
      'cardinality',
      { multiValued: { value: 'true' } },
      { multiValued: { value: 'true', cardinality: 2 } },
      ['a', 'b', 'c'],
      /lists could have only 2 values/,
    ],
    [
      'domain',
      { domainVals },
      { domainVals: { mode: 'FULL', domainVal: [{ tid: 'a' }] } },
      'b',
      /the list would lose b, c/,
    ],
    ['first list', {}, { domainVals }, 'b', /would have to be in the list/],
  ])('keeps its %s while that would break them', async (_, before, after, value, description) => {
    await persist(def('x', before))
    await values({ x: value })
    expect(await persist(def('x', after))).toMatchObject([
      { status: 'ERROR', description: expect.stringMatching(description) },
    ])
    await api.db.run(sql`update product set vals = '{}'`)
    expect(await persist(def('x', after))).toMatchObject([{ status: 'SUCCESS' }])
  })

  test('may be widened, and narrowed if no value is lost', async () => {
    await persist(def('x', { multiValued: { value: 'true', cardinality: 9 }, domainVals }))
    await values({ x: ['a', 'b'] })
    expect(await persist(def('x', { multiValued: { value: 'true', cardinality: 2 } }))).toMatchObject([
      { status: 'SUCCESS' },
    ])
    const fewer = { mode: 'FULL', domainVal: [{ tid: 'a' }, { tid: 'b' }] }
    expect(await persist(def('x', { domainVals: fewer }))).toMatchObject([{ status: 'SUCCESS' }])
    expect(await persist(def('x', { domainVals: { domainVal: [{ tid: 'z' }] } }))).toMatchObject([
      { status: 'SUCCESS' },
    ])
  })

  test('a table keeps a column that has values', async () => {
    const table = (...columns: string[]) =>
      def('t', { type: 'table', references: { itm: columns.map((value) => ({ value })) } })
    await persist(def('w'), def('h'), table('w', 'h'))
    await values({ 't/w': ['1', '2'] })
    expect(await persist(table('h'))).toMatchObject([
      { status: 'ERROR', description: expect.stringMatching(/the table would lose w/) },
    ])
    expect(await persist(table('w'))).toMatchObject([{ status: 'SUCCESS' }])
  })
})

describe('delete', () => {
  test('deletes definitions by tid or id; unknown and deleted ones fail alone', async () => {
    const [{ id }] = await persist(def('a'), def('b'))
    expect(await remove({ id }, { tid: 'b' }, { tid: 'b' }, { id: 1 })).toMatchObject([
      { status: 'SUCCESS', action: 'delete', dataType: 'attrDefinition', tid: 'a' },
      { status: 'SUCCESS', tid: 'b' },
      { status: 'ERROR', description: expect.stringMatching(/no attrDefinition has the tid b/) },
      { status: 'ERROR', description: expect.stringMatching(/no attrDefinition has the id 1/) },
    ])
    expect((await api.get(base)).status).toBe(404)
  })

  test('is refused while nodes, tables or values use the definition, and names them', async () => {
    await persist(def('used'), def('t', { type: 'table', references: { itm: [{ value: 'used' }] } }))
    await values({ used: 'x', 't/used': ['y'] })
    await api.db.run(sql`insert into node_attribute (node_id, attr_def_id, created_by, modified_by)
      select n.id, d.id, 'a', 'a' from node n, attr_def d where d.tid = 'used'`)
    const [record] = await remove({ tid: 'used' })
    expect(record).toMatchObject({
      status: 'ERROR',
      details: { itm: expect.arrayContaining([{ key: 'code', value: '1008' }]) },
    })
    expect(record.description).toMatch(/the nodes \/c-P1; the tables t; values of 1 products.*P1.*force=true/)
    expect(await stored('used')).toBeDefined()
  })

  test('with force also deletes its uses, with a history record for each', async () => {
    await persist(
      def('used'),
      def('kept'),
      def('t', { type: 'table', references: { itm: [{ value: 'used' }, { value: 'kept' }] } }),
    )
    await values({ used: 'x', 't/used': ['y'], kept: 'z' })
    await api.db.run(sql`insert into node_attribute (node_id, attr_def_id, created_by, modified_by)
      select n.id, d.id, 'a', 'a' from node n, attr_def d where d.tid = 'used'`)
    expect(await remove({ tid: 'used', ...force })).toMatchObject([{ status: 'SUCCESS' }])
    expect((await stored('t')).references.itm).toMatchObject([{ value: 'kept' }])
    const [product] = await api.db.rows<{ id: number; vals: object }>(sql`select id, vals from product`)
    expect(product!.vals).toEqual({ kept: 'z' })
    const history = await api.db.rows<{ changes: object }>(
      sql`select changes from history where object_id = ${product!.id}`,
    )
    expect(history).toEqual([{ changes: { 'vals.used': { from: 'x' }, 'vals.t/used': { from: ['y'] } } }])
    expect(await api.db.rows(sql`select id from node_attribute`)).toEqual([])
  })

  test('one message deletes a table and then its column', async () => {
    await persist(def('w'), def('t', { type: 'table', references: { itm: [{ value: 'w' }] } }))
    expect(await remove({ tid: 't' }, { tid: 'w' })).toMatchObject([{ status: 'SUCCESS' }, { status: 'SUCCESS' }])
  })
})

describe('query and retrieve', () => {
  const list = { domainVal: [{ tid: 'x', ...english('X') }], allowNewValue: 'true' }
  beforeEach(() =>
    persist(
      def('a', { domainVals: list, defaultVal: { tid: 'x' }, multiValued: { value: 'true', cardinality: 4 } }),
      def('b', { type: 'number', domainRange: { from: '1', to: '2', intOnly: 'true' } }),
      def('c', { type: 'date' }),
    ),
  )
  const idsOf = async (request: object) => (await api.post(`${base}/query`, request)).json

  test('query finds ids by type, and knows every synonym', async () => {
    const { id: b } = await stored('b')
    expect(await idsOf({ types: ['real'] })).toEqual({ ids: [b] })
    expect((await idsOf({ types: ['number', 'date'] })).ids).toHaveLength(2)
    expect((await idsOf({})).ids).toHaveLength(3)
    expect((await idsOf({ types: ['boolean'] })).ids).toEqual([])
    const refused = await api.post(`${base}/query`, { types: ['colour'] })
    expect(refused.status).toBe(400)
    expect(refused.text).toMatch(/unknown type colour; expected text/)
  })

  test('retrieve takes all, or tids, or ids, in this order', async () => {
    const { id } = await stored('a')
    const tids = async (request: object) => (await retrieve(request)).json.attrDefs.attrDef.map(({ tid }: Def) => tid)
    expect(await tids({ all: true, tids: ['a'] })).toEqual(['a', 'b', 'c'])
    expect(await tids({ tids: ['c', 'nope', 'b', 'c'], ids: [id] })).toEqual(['c', 'b'])
    expect(await tids({ ids: [String(id)] })).toEqual(['a'])
    expect((await retrieve({ ids: [1] })).status).toBe(404)
    expect((await retrieve({ tids: ['nope'] })).status).toBe(404)
    expect((await retrieve({})).status).toBe(400)
  })

  test('GET lists all definitions; GET and retrieve support the three formats', async () => {
    for (const [accept, sign] of [
      ['application/xml', '<attrDef '],
      ['application/json', '"attrDef":['],
      ['application/json+compact', '"tid":"b"'],
    ] as const) {
      const [listed, retrieved] = [await api.get(base, { accept }), await retrieve({ all: true }, accept)]
      for (const reply of [listed, retrieved]) {
        expect(reply.status).toBe(200)
        expect(reply.headers['content-type']).toContain(accept)
        expect(reply.text).toContain(sign)
      }
    }
  })

  test('a reply can be sent back in every format, and changes nothing', async () => {
    for (const type of ['application/xml', 'application/json', 'application/json+compact']) {
      const { text } = await retrieve({ all: true }, type)
      const before = await api.db.rows(sql`select tid, definition from attr_def order by tid`)
      const reply = await api.post(`${base}/persist`, text, { type, accept: 'application/json' })
      expect(reply.json.responses.response.map(({ action }: { action: string }) => action)).toEqual(
        Array(3).fill('update'),
      )
      expect(await api.db.rows(sql`select tid, definition from attr_def order by tid`)).toEqual(before)
    }
    expect(
      await api.db.rows(sql`select 1 from history where action = 'update' and data_type = 'attrDefinition'
      and object_id in (select id from attr_def)`),
    ).toEqual([])
  })

  test.each(['query', 'retrieve', 'persist', 'perform', 'bulk'])('%s needs a token', async (verb) => {
    expect((await api.post(`${base}/${verb}`, {}, { token: null })).status).toBe(401)
  })
  test.each(['query', 'retrieve', 'persist', 'perform', 'bulk'])(
    '%s refuses a message of another shape',
    async (verb) => {
      expect((await api.post(`${base}/${verb}`, { nonsense: 1 })).status).toBe(400)
    },
  )
})

describe('bulk', () => {
  test('accepts more definitions than persist', async () => {
    await api.startWorker()
    const attrDef = Array.from({ length: 1200 }, (_, i) => def(`bulk${i}`))
    const reply = await api.post(`${base}/bulk`, { schemaVersion, attrDefs: { attrDef } })
    expect(reply.status).toBe(200)
    await expect
      .poll(async () => (await api.get(`${base}/bulk/${reply.text}`)).json.meta.itm, { timeout: 20_000, interval: 50 })
      .toEqual(
        expect.arrayContaining([
          { key: 'state', value: 'finished' },
          { key: 'processed', value: '1200' },
        ]),
      )
    expect((await api.get(`${base}/bulk/nope`)).status).toBe(404)
    expect((await stored('bulk1199')).tid).toBe('bulk1199')
  })
})
