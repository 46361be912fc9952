/** An import of an export changes nothing: attributes of every type, with any texts, in every format. */
import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { createModel, jacket, pim, productCalls, schemaVersion, simple, vals } from '../../test/catalogue.ts'
import { withServer } from '../../test/server.ts'
import { transferCalls } from '../../test/transfers.ts'

const api = withServer()
const { persist, retrieve } = productCalls(api)
const { run, rowsOf, exported } = transferCalls(api)
const at = '/api/v1/transfers'
const named = (value: string) => ({ name: { itm: [{ value, loc: 'en_GB' }] } })
const list = { multiValued: { value: 'true' } }
const chosen = ['red', 'a|b', 'x;y', 'back\\slash', 'true']
const profile = { decimal: ',', thousands: '.', dateFormat: 'D.M.YYYY', trueWords: ['ja'], falseWords: ['-'], separator: ',', delimiter: ';' } // prettier-ignore

beforeAll(async () => {
  await createModel(api)
  await api.startWorker()
  const domainVals = { domainVal: chosen.map((tid) => ({ tid, itm: [{ value: `The ${tid}`, loc: 'en_GB' }] })) }
  const attrDef = [
    { tid: 'choices', type: 'text', domainVals, ...list, ...named('Choices') },
    { tid: 'numbers', type: 'number', ...list, ...named('Numbers') },
    { tid: 'dates', type: 'date', ...list, ...named('Dates') },
    { tid: 'mass', type: 'measure', format: { family: 'mass' }, ...list, ...named('Mass') },
    { tid: 'cost', type: 'price', format: { unit: [{ code: 'EUR' }, { code: 'USD' }] }, ...list, ...named('Cost') },
    { tid: 'story', type: 'richtext', localized: 'true', ...list, ...named('Story') },
    { tid: 'ean', type: 'identifier', format: { scheme: 'gtin' }, ...named('EAN') },
    { tid: 'label', type: 'text', localized: 'true', ...list, ...named('Label') },
    { tid: 'labels', type: 'table', references: { itm: [{ value: 'label' }] }, ...named('Labels') },
  ]
  const body = { schemaVersion, attrDefs: { attrDef } }
  const made = await api.post(`${pim}/attribute-definitions/persist`, body, { token: api.adminToken })
  expect(made.text).not.toContain('ERROR')
  const put = await api.post(`${at}/profiles/german`, profile, { method: 'PUT' })
  expect(put.status, put.text).toBe(200)
})

const text = fc.oneof(
  fc.constantFrom('a|b', '|', '\\', 'a\\', '=1+1', "'=x", '+49 1', 'one\r\ntwo', '"q"', '_x0041_', 'true', '1,5', '007', '<b>', '&amp;', 'a;b', '\u00a0'), // prettier-ignore
  fc.constantFrom(' lead', 'trail ', '  ', '\\ x', 'x \\', ' |', '\t', '\ufeffx'),
  fc.stringMatching(/^[ -~äÄ]{1,12}$/),
)
const number = fc.oneof(fc.constantFrom('0', '-3', '1.5', '1234567.25', '1e-7', '1e21'), fc.integer().map(String))
const date = fc.constantFrom('2024-02-29', '1900-01-01', '0001-01-01', '9999-12-31', '2024-02-29T10:11:12.123Z')
const rich = fc.constantFrom('<p>a|b</p>', '<p> a <strong>b</strong></p>', '<ul><li>x</li></ul>', '<p>&lt;b&gt; &amp;amp;</p>', '<p>1\n2</p>') // prettier-ignore
const listOf = (one: fc.Arbitrary<string>) => fc.array(one, { minLength: 1, maxLength: 3 })
const items = (values: readonly string[]) => values.map((value, pos) => ({ value, pos }))
const locales = ['en_GB', 'de_DE']

const one = (attr: string, value: fc.Arbitrary<string>) => value.map((sent) => simple(attr, sent))
const several = (attr: string, value: fc.Arbitrary<string>) => listOf(value).map((sent) => ({ attr, itm: items(sent) }))
const inLocales = (attr: string, value: fc.Arbitrary<string>, parent?: string) =>
  fc.tuple(listOf(value), listOf(value)).map((sent) => ({ attr, ...(parent && { parent }), i18N: sent.map((values, i) => ({ loc: locales[i], itm: items(values) })) })) // prettier-ignore
const values = fc.tuple(
  one('material', text),
  fc.tuple(text, text).map((sent) => ({ attr: 'caption', itm: sent.map((value, i) => ({ value, loc: locales[i] })) })),
  several('sizes', text),
  inLocales('notes', text),
  one('color', fc.constantFrom('red', 'blue')),
  fc.shuffledSubarray(chosen, { minLength: 1 }).map((sent) => ({ attr: 'choices', itm: items(sent) })),
  one('weight', fc.constantFrom('0', '1.5', '999.25')),
  several('numbers', number),
  one('launch', date),
  several('dates', date),
  one('washable', fc.constantFrom('true', 'false')),
  listOf(number).map((sent) => ({ attr: 'width', parent: 'size_table', itm: items(sent) })),
  inLocales('label', text, 'labels'),
  several('mass', fc.constantFrom('1.5 kg', '0.001 g', '12345.125 t')),
  several('cost', fc.constantFrom('1 EUR', '19.99 EUR; 21.5 USD')),
  inLocales('story', rich),
  one('ean', fc.constantFrom('4006381333931', '96385074')),
)

test.each([
  ['csv', ''],
  ['csv', 'german'],
  ['xlsx', ''],
  ['xlsx', 'german'],
  ['zip', ''],
  ['jsonl', ''],
  ['xml', ''],
])('an import of an export changes nothing: %s %s', async (format, name) => {
  const [a, b, c, d] = fc.sample(fc.tuple(values, values, values, values), { numRuns: 1, seed: 7 })[0]!
  const tids = Array.from({ length: 12 }, (_, i) => `${format}${name}${i}`)
  const sent = fc.sample(values, { numRuns: 12, seed: 11 }).map((val, i) => jacket(tids[i]!, vals(...val)))
  const variants = { variant: [{ tid: `${tids[0]}-v`, name: 'v', ...vals(...c) }] }
  const articles = { article: [{ tid: `${tids[0]}-a`, name: 'a', ...vals(...a), variants }, { tid: `${tids[0]}-b`, name: 'b', ...vals(...b) }] } // prettier-ignore
  sent[0] = jacket(tids[0]!, { ...vals(...d), articles })
  for (const record of await persist(...sent)) expect(record.status, record.description).toBe('SUCCESS')
  const before = await retrieve(...tids)
  const bytes = await exported({ format, tids, ...(name && { profile: name }) })
  const { id, refused, updated, created } = await run(bytes, `name=x.${format}${name && `&profile=${name}`}`)
  expect({ refused, updated, created }, JSON.stringify(await rowsOf(id))).toEqual({ refused: 0, updated: 0, created: 0 }) // prettier-ignore
  expect(await retrieve(...tids)).toEqual(before)
})

test('an empty cell removes the value in its locale, and no other', async () => {
  expect((await api.post(`${at}/profiles/clears`, { emptyClears: true }, { method: 'PUT' })).status).toBe(200)
  await run('tid,name,node,caption@en_GB,caption@de_DE,notes@en_GB,notes@de_DE\nEC,EC,/Standard/Jackets,coat,Mantel,a|b,A|B\n') // prettier-ignore
  await run('tid,caption@de_DE,notes@en_GB,notes@de_DE\nEC,,a,\n', 'name=x.csv&profile=clears')
  const [{ vals: found }] = await retrieve('EC')
  expect(found.val.toSorted((a: { attr: string }, b: { attr: string }) => a.attr.localeCompare(b.attr))).toMatchObject([
    { attr: 'caption', itm: [{ value: 'coat', loc: 'en_GB' }] },
    { attr: 'notes', i18N: [{ loc: 'en_GB', itm: [{ value: 'a' }] }] },
  ])
})

test.each([
  [{ delimiter: '' }, 'delimiter: expected a sign such as ;'],
  [{ delimiter: '"' }, 'delimiter: expected a sign such as ;'],
  [{ delimiter: '\n' }, 'delimiter: expected a sign such as ;'],
  [{ separator: '' }, 'separator: expected a sign such as |'],
  [{ columns: [{ column: 'A', attr: 'material' }, { column: 'A', attr: 'weight' }] }, 'column A: is mapped twice; remove one of them'], // prettier-ignore
])('a profile with which no table can be read is refused: %j', async (sent, reason) => {
  const { status, text: reply } = await api.post(`${at}/profiles/odd`, sent, { method: 'PUT' })
  expect([status, reply]).toEqual([400, expect.stringContaining(reason)])
})
