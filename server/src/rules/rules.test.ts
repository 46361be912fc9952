/** Rules: operations, order, runs by hand, on change and by a schedule, refusals, races, interrupted work and rights. */
import { cm } from '@kontor/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../adapters/postgres/sql.ts'
import { createModel, jacket, type Obj, pim, productCalls, schemaVersion, simple, vals } from '../../test/catalogue.ts'
import { callsOf } from '../../test/channels.ts'
import { keyword, resourceOf } from '../../test/common.ts'
import { damCalls } from '../../test/dam.ts'
import { untilReleased } from '../../test/events.ts'
import { field, searchCalls } from '../../test/search.ts'
import { withServer } from '../../test/server.ts'

const api = withServer()
const { persist, retrieve } = productCalls(api)
const at = '/api/v1/rules'

const never = new AbortController().signal
const work = (id: string, stop = never) => api.app.jobs['change.run']!({ id } as never, stop)
const tick = async () => {
  await untilReleased(api.db)
  await api.app.jobs['rule.tick']!({} as never, never)
}

const put = (name: string, rule: object, token?: string) =>
  api.post(`${at}/${encodeURIComponent(name)}`, rule, { method: 'PUT', ...(token !== undefined && { token }) })
const saved = async (name: string, rule: object, token?: string) => {
  const reply = await put(name, rule, token)
  expect(reply.status, reply.text).toBe(200)
  return reply.json
}
const remove = (name: string) => api.post(`${at}/${name}`, undefined, { method: 'DELETE', token: api.adminToken })
/** Runs or previews a rule to its end. */
const done = async (name: string, command = 'run', token?: string) => {
  const reply = await api.post(`${at}/${name}/${command}`, undefined, token === undefined ? {} : { token })
  expect(reply.status, reply.text).toBe(200)
  await work(reply.json.id)
  return (await api.get(`/api/v1/changes/${reply.json.id}`, { token: api.adminToken })).json
}
const runsOf = async (name: string) =>
  (await api.get(`${at}/${name}/runs`, { token: api.adminToken })).json.changes ?? []
const valueOf = async (tid: string, attr: string) => {
  const [product] = await retrieve(tid)
  const val = product.vals?.val?.find((one: { attr: string }) => one.attr === attr)
  return val?.itm?.map(({ key, value }: { key?: string; value: string }) => key ?? value)
}
const createMany = async (...products: Obj[]) =>
  expect((await persist(...products)).map(({ status }) => status)).toEqual(products.map(() => 'SUCCESS'))

const named = (name: string) => ({ name: { itm: [{ value: name, loc: 'en_GB' }] } })
const set = (attribute: string, ...values: string[]) => ({ type: 'set', attribute, values })
const among = (...tids: string[]) => field('tid', 'IN', tids)

beforeAll(async () => {
  await createModel(api)
  // prettier-ignore
  const attrDef = [
    { tid: 'net', type: 'price', format: { unit: [{ code: 'EUR' }, { code: 'USD' }] }, ...named('Net') },
    { tid: 'gross', type: 'price', format: { unit: [{ code: 'EUR' }, { code: 'USD' }] }, ...named('Gross') },
    { tid: 'mass', type: 'measure', format: { family: 'mass' }, ...named('Mass') },
    { tid: 'shipping', type: 'measure', format: { family: 'mass' }, ...named('Shipping mass') },
    { tid: 'title', type: 'text', localized: 'true', ...named('Title') },
    { tid: 'weight2', type: 'number', ...named('Weight 2') },
    { tid: 'story', type: 'richtext', ...named('Story') },
    { tid: 'teaser', type: 'richtext', ...named('Teaser') },
  ]
  const reply = await api.post(`${pim}/attribute-definitions/persist`, { schemaVersion, attrDefs: { attrDef } }, { token: api.adminToken }) // prettier-ignore
  expect(reply.text).not.toContain('ERROR')
  await callsOf(api, cm, 'channels').persist({ tid: 'shop', type: 'Webshop', name: 'shop' })
})

test('a rule sets, clears, copies, concatenates, calculates, categorises and places all products that match', async () => {
  await createMany(
    jacket('A1', vals(simple('material', 'Wool'), simple('color', 'red'), simple('weight', '7'), simple('net', '100.10 EUR; 50 USD'), simple('mass', '1500 g'), { attr: 'caption', itm: [{ value: 'Warm', loc: 'en_GB' }] })), // prettier-ignore
    jacket('A2', vals(simple('material', 'Silk'), simple('net', '10 USD'), simple('weight', '3'))),
    jacket('A3', vals(simple('material', 'Felt'))),
  )
  const rule = await saved('Autumn', {
    description: 'Fills what follows from other values',
    condition: field('material', 'IN', ['Wool', 'Silk']),
    operations: [
      set('code', 'AB1'),
      { type: 'clear', attribute: 'weight' },
      { type: 'calculate', attribute: 'gross', expression: 'round(amount("net", "EUR") * 1.19, 2)', unit: 'EUR' },
      { type: 'calculate', attribute: 'shipping', expression: 'measure("mass", "kg") + 0.5', unit: 'kg' },
      { type: 'concatenate', attribute: 'title', locale: 'en_GB', template: '{color} {$name}, {caption} ({material})' }, // prettier-ignore
      { type: 'copy', attribute: 'caption', locale: 'de_DE', from: 'title', fromLocale: 'en_GB' },
      { type: 'move', to: '/Standard/Jackets/Rain' },
      { type: 'link', dataType: 'project', to: 'shop' },
    ],
  })
  expect(rule).toMatchObject({ owner: 'kim', kind: 'product', enabled: true, onChange: false })
  expect(rule.reads).toEqual(['/name', 'caption@en_GB', 'color', 'mass', 'material', 'net'])
  expect(rule.writes).toEqual(['/node', '/project', 'caption@de_DE', 'code', 'gross', 'shipping', 'title@en_GB', 'weight']) // prettier-ignore

  const preview = await done('Autumn', 'preview')
  expect(preview).toMatchObject({ state: 'previewed', rule: 'Autumn', total: 2, changed: 2, refused: 0 })
  const { items } = (await api.get(`/api/v1/changes/${preview.id}/items`)).json
  expect(items[0].changes).toEqual(expect.arrayContaining([{ attribute: 'weight', before: ['7'], after: [] }]))
  expect(await valueOf('A1', 'gross')).toBeUndefined()

  const run = await done('Autumn')
  expect(run).toMatchObject({ state: 'finished', rule: 'Autumn', changed: 2, undoable: true })
  expect(await valueOf('A1', 'gross')).toEqual(['119.12 EUR'])
  expect(await valueOf('A1', 'shipping')).toEqual(['2 kg'])
  expect(await valueOf('A1', 'title')).toEqual(['Red Jacket A1, Warm (Wool)'])
  expect(await valueOf('A1', 'caption')).toEqual(expect.arrayContaining(['Warm', 'Red Jacket A1, Warm (Wool)']))
  expect(await valueOf('A2', 'gross')).toBeUndefined() // without an amount in euros nothing is calculated
  expect(await valueOf('A3', 'code')).toBeUndefined()
  const [first] = await retrieve('A1')
  expect([first.node, JSON.stringify(first.links)]).toEqual(['/Standard/Jackets/Rain', expect.stringContaining('shop')])
  const history = (await api.post(`${pim}/products/history`, { tid: 'A1' })).json.entries
  expect(history.map(({ rule: by, user }: { rule?: string; user: string }) => [by, user])).toEqual(expect.arrayContaining([['Autumn', 'kim'], [undefined, 'kim']])) // prettier-ignore

  expect(await done('Autumn')).toMatchObject({ state: 'finished', changed: 0, unchanged: 2 })
  await api.post(`/api/v1/changes/${run.id}/undo`)
  await work(run.id)
  expect(await valueOf('A1', 'weight')).toEqual(['7'])
  expect(await valueOf('A1', 'gross')).toBeUndefined()
  expect((await runsOf('Autumn')).length).toBe(3)
  await remove('Autumn')
})

test('a price keeps its other currencies, and a value that cannot be calculated refuses its product alone', async () => {
  await createMany(
    jacket('C1', vals(simple('net', '10 EUR'), simple('gross', '7 USD'), simple('weight', '0'))),
    jacket('C2', vals(simple('net', '10 EUR'), simple('weight', '4'))),
  )
  await saved('Currencies', {
    condition: among('C1', 'C2'),
    operations: [
      { type: 'calculate', attribute: 'gross', expression: 'amount("net", "EUR") * 2', unit: 'EUR' },
      { type: 'calculate', attribute: 'weight2', expression: '1 / number("weight")' },
    ],
  })
  const run = await done('Currencies')
  expect(run).toMatchObject({ changed: 1, refused: 1 })
  expect(run.reasons).toEqual([{ reason: expect.stringContaining('division by zero'), count: 1 }])
  expect(await valueOf('C1', 'gross')).toEqual(['7 USD'])
  expect([await valueOf('C2', 'gross'), await valueOf('C2', 'weight2')]).toEqual([['20 EUR'], ['0.25']])
  await persist({ tid: 'C1', ...vals(simple('weight', '2')) })
  expect(await done('Currencies')).toMatchObject({ changed: 1, refused: 0 })
  expect(await valueOf('C1', 'gross')).toEqual(['20 EUR; 7 USD'])
  await remove('Currencies')
})

test('a rule adds keywords to assets', async () => {
  const token = api.adminToken
  await api.post('/api/core/v1/dam/rncs/persist', { schemaVersion, rncs: { rnc: [{ tid: 'main', name: 'Main' }] } }, { token }) // prettier-ignore
  const dam = damCalls(api)
  await dam.createPath('/main/Sea')
  const assets = await dam.addAssets('/main/Sea', 'one.jpg')
  await resourceOf(api, 'keywords').persist(keyword('Sea'))
  await searchCalls(api).rebuild('ASSET') // the helper adds rows without events
  await saved('Sea', {
    kind: 'asset',
    condition: field('directoryPath', 'EQ', '/main/Sea'),
    operations: [{ type: 'link', dataType: 'keyword', to: '/Sea' }],
  })
  expect(await done('Sea')).toMatchObject({ kind: 'asset', changed: 1 })
  const tids = assets.map(({ tid }) => tid)
  expect((await api.post('/api/core/v1/dam/assets/retrieve', { tids })).text).toContain('"/Sea"')
  expect((await api.post('/api/core/v1/dam/assets/histories/retrieve', { tids })).text).toContain('"Sea"')
})

test('many who save, preview and run a rule at once are answered, although there are fewer connections to the database', async () => {
  const rule = { condition: among('nothing'), operations: [set('code', 'ZZ9')] }
  await saved('Busy', rule)
  const replies = await Promise.all(
    Array.from({ length: 12 }, () => [
      put('Busy', rule),
      api.post(`${at}/Busy/preview`),
      put('New at once', rule),
    ]).flat(),
  )
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
  for (const name of ['Busy', 'New at once']) await remove(name)
})

describe('runs by themselves', () => {
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

  test('on change, the rules that follow each other run in their order and come to rest', async () => {
    await saved('B second', { onChange: true, condition: field('material', 'EQ', 'Loden'), operations: [{ type: 'concatenate', attribute: 'title', locale: 'en_GB', template: '{code} {material}' }] }) // prettier-ignore
    await saved('A first', { onChange: true, condition: field('material', 'EQ', 'Loden'), operations: [set('code', 'XY9')] }) // prettier-ignore
    expect((await api.get(`${at}/B second`)).json.after).toContain('A first')
    await createMany(jacket('O1', vals(simple('material', 'Loden'))), jacket('O2', vals(simple('material', 'Other'))))
    await ticked(async () => expect(await valueOf('O1', 'title')).toEqual(['XY9 Loden']))
    expect(await valueOf('O2', 'code')).toBeUndefined()
    const count = async () => (await api.db.row<{ n: number }>(sql`select count(*)::int as n from bulk_change`))!.n
    await ticked(async () => expect((await runsOf('B second')).length).toBeGreaterThan(0))
    let before = -1
    await expect.poll(async () => {
      await tick()
      const [last, now] = [before, await count()]
      before = now
      return last === now
    }, { timeout: 30_000, interval: 200 }).toBe(true) // prettier-ignore
    await persist({ tid: 'O2', ...vals(simple('weight', '5')) }) // nothing that the rules read
    await tick()
    expect(await count()).toBe(before)
    await persist({ tid: 'O2', ...vals(simple('material', 'Loden')) })
    await ticked(async () => expect(await valueOf('O2', 'title')).toEqual(['XY9 Loden']))
    for (const name of ['A first', 'B second']) await remove(name)
  })

  test('by a schedule, once per time however many processes look', async () => {
    await createMany(jacket('T1', vals(simple('material', 'Tweed'))))
    const rule = await saved('Nightly', { condition: among('T1'), operations: [set('code', 'TW1')], schedule: { cron: '0 3 * * *', timeZone: 'Europe/Berlin' } }) // prettier-ignore
    expect(rule.nextRunAt).toMatch(/T0[12]:00:00/)
    await tick()
    expect(await runsOf('Nightly')).toEqual([])
    await api.db.run(sql`update rule set next_at = now() where name = 'Nightly'`)
    await Promise.all([tick(), tick(), tick()])
    const runs = await runsOf('Nightly')
    expect(runs).toHaveLength(1)
    await work(runs[0].id)
    expect(await valueOf('T1', 'code')).toEqual(['TW1'])
    expect((await api.get(`${at}/Nightly`)).json.nextRunAt).toBe(rule.nextRunAt)
    await saved('Nightly', { ...rule, enabled: false })
    await api.db.run(sql`update rule set next_at = now() where name = 'Nightly'`)
    await tick()
    expect(await runsOf('Nightly')).toHaveLength(1)
    await remove('Nightly')
  })

  test('a run that was interrupted continues, and a second one waits for its end', async () => {
    const tids = Array.from({ length: 550 }, (_, i) => `K${i}`)
    await createMany(...tids.map((tid) => jacket(tid, vals(simple('material', 'Kilt')))))
    await saved('Killed', { condition: field('material', 'EQ', 'Kilt'), operations: [set('code', 'KI1')] })
    const { id } = (await api.post(`${at}/Killed/run`)).json
    await work(id, AbortSignal.abort())
    expect((await api.get(`/api/v1/changes/${id}`)).json).toMatchObject({ state: 'running', processed: 500 })
    expect((await api.post(`${at}/Killed/run`)).status).toBe(409)
    await Promise.all([work(id), work(id)])
    expect((await api.get(`/api/v1/changes/${id}`)).json).toMatchObject({ state: 'finished', changed: 550 })
    await remove('Killed')
    expect((await api.get(`/api/v1/changes/${id}`)).json).toMatchObject({ rule: 'Killed', undoable: true })
  })
})

describe('refusals', () => {
  const one = set('material', 'x')
  // prettier-ignore
  test.each([
    ['no operation', { operations: [] }, /operations/],
    ['an unknown attribute', { operations: [set('ghost', 'x')] }, /\/rule\/operations\/0 \(set\): no attribute has the tid ghost/],
    ['a locale that is not one', { operations: [{ ...set('title', 'x'), locale: 'english' }] }, /\(set\): english is not a locale/],
    ['a locale to copy from that is not one', { operations: [{ type: 'copy', attribute: 'title', locale: 'de_DE', from: 'caption', fromLocale: 'en' }] }, /\(copy\): en is not a locale/],
    ['an unknown attribute in a template', { operations: [{ type: 'concatenate', attribute: 'material', template: '{ghost}' }] }, /no attribute has the tid ghost/],
    ['a brace without partner', { operations: [{ type: 'concatenate', attribute: 'material', template: '{code' }] }, /no partner/],
    ['an unknown attribute in an expression', { operations: [{ type: 'calculate', attribute: 'weight', expression: 'number("ghost")' }] }, /ghost/],
    ['an expression that cannot be read', { operations: [{ type: 'calculate', attribute: 'weight', expression: '1 +' }] }, /expression: /],
    ['a text as a number', { operations: [{ type: 'calculate', attribute: 'weight', expression: 'text("material")' }] }, /results in string/],
    ['a number of a text', { operations: [{ type: 'calculate', attribute: 'weight', expression: 'number("material")' }] }, /material is not a number/],
    ['a currency that a price has not', { operations: [{ type: 'calculate', attribute: 'weight', expression: 'amount("net", "JPY")' }] }, /no amounts in JPY/],
    ['a price without a currency', { operations: [{ type: 'calculate', attribute: 'gross', expression: '1.5' }] }, /unit: expected one of EUR, USD/],
    ['a unit of another family', { operations: [{ type: 'calculate', attribute: 'shipping', expression: '1.5', unit: 'm' }] }, /unit: expected one of kg/],
    ['a regular expression', { operations: [{ type: 'calculate', attribute: 'washable', expression: 'text("material").matches("(a+)+$")' }] }, /unknown function \.matches/],
    ['a loop', { operations: [{ type: 'calculate', attribute: 'washable', expression: '[1, 2].all(x, x > 0)' }] }, /expression/],
    ['a name of JavaScript', { operations: [{ type: 'calculate', attribute: 'material', expression: 'constructor' }] }, /unknown name/],
    ['a computed attribute name', { operations: [{ type: 'calculate', attribute: 'weight', expression: 'number(text("material"))' }] }, /texts in quotes/],
    ['a copy between types', { operations: [{ type: 'copy', attribute: 'weight', from: 'material' }] }, /has the type text/],
    ['a copy of a list', { operations: [{ type: 'copy', attribute: 'material', from: 'sizes' }] }, /is a list/],
    ['a copy without a locale', { operations: [{ type: 'copy', attribute: 'material', from: 'caption' }] }, /caption is localized/],
    ['an operation that reads what it writes', { operations: [{ type: 'calculate', attribute: 'weight', expression: 'number("weight") + 1' }] }, /reads weight, which it writes itself/],
    ['an operation that reads what a later one writes', { operations: [{ type: 'copy', attribute: 'code', from: 'material' }, one] }, /which operation 1 writes/],
    ['appending to a text', { operations: [{ type: 'append', attribute: 'material', values: ['x'] }] }, /append to a text is not possible in a rule/],
    ['findReplace', { operations: [{ type: 'findReplace', attribute: 'material', find: 'a', replacement: 'aa' }] }, /not possible in a rule/],
    ['full text', { condition: { queryType: 'FULLTEXT', value: 'x' }, operations: [one] }, /\/rule\/condition\/queryType: a rule tests fields/],
    ['an unknown field', { condition: field('ghost', 'EQ', 'x'), operations: [one] }, /\/rule\/condition.*ghost/],
    ['a schedule that is not one', { schedule: { cron: 'soon' }, operations: [one] }, /\/rule\/schedule\/cron/],
  ])('%s is refused with the place', async (_, rule, message) => {
    const { status, text } = await put('refused', rule)
    expect([status, text]).toEqual([400, expect.stringMatching(message)])
    expect((await api.get(`${at}/refused`)).status).toBe(404)
  })

  test('a cycle is refused with its path, also when its rules are saved at the same time', async () => {
    const copy = (attribute: string, from: string) => ({ operations: [{ type: 'copy', attribute, from }] })
    await saved('one', copy('code', 'material'))
    await saved('two', copy('frozen', 'code'))
    const reply = await put('three', copy('material', 'frozen'))
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('three → one → two → three')])
    // a condition counts too
    const tested = await put('three', { condition: field('frozen', 'EQ', 'x'), operations: [set('material', 'y')] })
    expect([tested.status, tested.text]).toEqual([400, expect.stringContaining('without end')])
    for (const name of ['one', 'two']) await remove(name)
    const race = await Promise.all([put('one', copy('code', 'material')), put('two', copy('material', 'code'))])
    expect(race.map(({ status }) => status).toSorted()).toEqual([200, 400])
    for (const name of ['one', 'two']) await remove(name)
    // rules that fill what is empty do not start each other, but one that empties it does
    await saved('one', { condition: field('material', 'IS_EMPTY'), operations: [set('material', 'a')] })
    await saved('two', { condition: field('material', 'IS_EMPTY'), operations: [set('material', 'b')] })
    const emptied = await put('three', { condition: field('material', 'EQ', 'a'), operations: [{ type: 'clear', attribute: 'material' }] }) // prettier-ignore
    expect([emptied.status, emptied.text]).toEqual([400, expect.stringContaining('without end')])
    for (const name of ['one', 'two']) await remove(name)
    // testing what it writes is not a cycle: the second run finds nothing
    await saved('self', { condition: field('material', 'EQ', 'a'), operations: [set('material', 'b')] })
    await remove('self')
  })
})

describe('rights', () => {
  const role = async (name: string, grants: object[]) => {
    const reply = await api.post(`/api/v1/identity/roles/${name}`, { grants }, { method: 'PUT', token: api.adminToken })
    expect(reply.status, reply.text).toBe(200)
  }
  const everywhere = { kind: '*', actions: ['read', 'update', 'link'] }

  test('a rule changes only what its owner may change, also when an administrator runs or saves it', async () => {
    await role('rain-only', [{ kind: '*', actions: ['read'] }, { ...everywhere, scopes: { node: ['/Standard/Jackets/Rain'] } }]) // prettier-ignore
    const token = await api.tokenFor({ name: 'nell', roles: ['rain-only'] })
    await createMany(jacket('N1', vals(simple('material', 'Nylon'))), jacket('N2', { node: '/Standard/Jackets/Rain', ...vals(simple('material', 'Nylon')) })) // prettier-ignore
    const rule = { condition: field('material', 'EQ', 'Nylon'), operations: [set('code', 'NY1')] }
    await saved('Narrow', rule, token)
    expect((await saved('Narrow', rule, api.adminToken)).owner).toBe('nell')
    const run = await done('Narrow', 'run', api.adminToken)
    expect(run).toMatchObject({ user: 'nell', total: 2, changed: 1, refused: 1 })
    expect([await valueOf('N1', 'code'), await valueOf('N2', 'code')]).toEqual([undefined, ['NY1']])
    await remove('Narrow')
  })

  test('a rule whose owner lost their rights changes nothing more, and is switched off', async () => {
    await role('fading', [everywhere])
    const token = await api.tokenFor({ name: 'fay', roles: ['fading'] })
    await createMany(jacket('F1', vals(simple('material', 'Fleece'))))
    await saved('Fading', { condition: among('F1'), operations: [set('code', 'FL1')], schedule: { cron: '0 3 * * *' } }, token) // prettier-ignore
    await role('fading', [{ kind: '*', actions: ['read'] }])
    await api.db.run(sql`update rule set next_at = now() where name = 'Fading'`)
    await tick()
    expect((await api.get(`${at}/Fading`, { token: api.adminToken })).json).toMatchObject({ enabled: false, problem: expect.any(String) }) // prettier-ignore
    expect(await valueOf('F1', 'code')).toBeUndefined()
    await remove('Fading')
  })

  test('an attribute or a product that the owner may not see is neither read nor tested', async () => {
    await role('blind', [{ ...everywhere, visibleAttributes: { except: ['material'] } }])
    const token = await api.tokenFor({ name: 'bea', roles: ['blind'] })
    const read = await put('Blind', { operations: [{ type: 'copy', attribute: 'code', from: 'material' }] }, token)
    const tested = await put('Blind', { condition: field('material', 'EQ', 'Wool'), operations: [set('code', 'BL1')] }, token) // prettier-ignore
    expect([read.status, tested.status]).toEqual([400, 400])
    expect(`${read.text}${tested.text}`).not.toContain('Wool')
  })

  test('rules are for their owner and administrators; refusals do not contain names of others', async () => {
    await saved('Mine', { operations: [{ type: 'copy', attribute: 'code', from: 'material' }] })
    const token = await api.tokenFor({ name: 'lou' })
    for (const path of ['Mine', 'Mine/runs']) expect((await api.get(`${at}/${path}`, { token })).status).toBe(404)
    for (const path of ['Mine/run', 'Mine/preview']) expect((await api.post(`${at}/${path}`, undefined, { token })).status).toBe(404) // prettier-ignore
    expect((await put('Mine', { operations: [set('code', 'x')] }, token)).status).toBe(409)
    expect((await api.get(at, { token })).json.rules ?? []).toEqual([])
    const cycle = await put('Theirs', { operations: [{ type: 'copy', attribute: 'material', from: 'code' }] }, token)
    expect([cycle.status, cycle.text]).toEqual([400, expect.stringContaining('a rule of another user')])
    expect(cycle.text).not.toContain('Mine')
    expect((await api.get(at, { token: api.adminToken })).json.rules.map(({ name }: { name: string }) => name)).toContain('Mine') // prettier-ignore
    await remove('Mine')
  })
})

test('a rule on change that writes the name of a product follows a new name', async () => {
  await createMany(jacket('N1', vals(simple('material', 'Linen'))))
  const operations = [{ type: 'concatenate', attribute: 'title', locale: 'en_GB', template: '{$name} of {material}' }]
  await saved('Names', { condition: field('material', 'EQ', 'Linen'), onChange: true, operations })
  await createMany({ tid: 'N1', name: 'Summer jacket' })
  await tick()
  const [run] = await runsOf('Names')
  await work(run.id)
  expect(await valueOf('N1', 'title')).toEqual(['Summer jacket of Linen'])
  await tick()
  expect(await runsOf('Names')).toHaveLength(1)
  await remove('Names')
})

test('texts and formatted texts are written into each other as what they are', async () => {
  const story = '<p>Dry &amp; <strong>warm</strong></p>'
  await createMany(jacket('T1', vals(simple('material', 'Wool <100%> & Silk'), simple('story', story))))
  await saved('Markup', {
    condition: among('T1'),
    operations: [
      { type: 'concatenate', attribute: 'teaser', template: '<p>{material}</p>{story}' },
      { type: 'concatenate', attribute: 'title', locale: 'en_GB', template: '{$name}: {story}' },
      { type: 'copy', attribute: 'caption', locale: 'en_GB', from: 'story' },
      { type: 'calculate', attribute: 'caption', locale: 'de_DE', expression: 'upper(text("story"))' },
    ],
  })
  expect(await done('Markup')).toMatchObject({ changed: 1, refused: 0 })
  expect(await valueOf('T1', 'teaser')).toEqual([`<p>Wool &lt;100%&gt; &amp; Silk</p>${story}`])
  expect(await valueOf('T1', 'title')).toEqual(['Jacket T1: Dry & warm'])
  expect(await valueOf('T1', 'caption')).toEqual(expect.arrayContaining(['Dry & warm', 'DRY & WARM']))
  expect(await done('Markup')).toMatchObject({ changed: 0, unchanged: 1 })
  await remove('Markup')
})

test.each([
  ['number("weight2") + 1', '4006381333932'],
  ['number("weight2") * 0.5', '2003190666965.5'],
  ['min(number("weight2"), 5) + abs(-2)', '7'],
  ['round(1251.0, -1)', '1250'],
  ['round(0.0000001, 2)', '0'],
  ['round(-0.00000025, 7) + 1.005', '1.0049997'],
  ['round(1.005, 2)', '1.01'],
  ['number("weight2") == 4006381333931 ? 1.0 : 0.0', '1'],
])('the expression %s results in %s', async (expression, result) => {
  await createMany(jacket('X1', vals(simple('weight2', '4006381333931'))))
  await saved('Digits', { condition: among('X1'), operations: [{ type: 'calculate', attribute: 'title', locale: 'en_GB', expression }] }) // prettier-ignore
  await done('Digits')
  expect(await valueOf('X1', 'title')).toEqual([result])
  await remove('Digits')
})

test('an expression that results in a character that no message can contain refuses the product, not the run', async () => {
  await createMany(jacket('U1'))
  const calculate = (expression: string) => ({ type: 'calculate', attribute: 'title', locale: 'en_GB', expression })
  await saved('Signs', { condition: among('U1'), operations: [calculate('"a\\u0000"')] })
  expect(await done('Signs')).toMatchObject({ state: 'finished', refused: 1, reasons: [{ reason: expect.stringContaining('cannot be part of a message') }] }) // prettier-ignore
  expect((await put('Signs', { condition: among('U1'), operations: [calculate('b"ab"')] })).text).toContain('results in bytes') // prettier-ignore
  await remove('Signs')
})
