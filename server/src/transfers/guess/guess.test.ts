/** Profiles that are guessed from a file, tried, and given to an import. */
import type { Infer, TransferMapping } from '@kontor/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, pim, productCalls, schemaVersion } from '../../../test/catalogue.ts'
import { withServer } from '../../../test/server.ts'
import { transferCalls } from '../../../test/transfers.ts'
import { bookParts, sheetOf, workbookOf } from '../../../test/workbook.ts'

const api = withServer()
const at = '/api/v1/transfers'
const { send, rowsOf } = transferCalls(api)
const { retrieve } = productCalls(api)
type Mapping = Infer<typeof TransferMapping>

const named = (en: string, de: string) => ({ name: { itm: [{ value: en, loc: 'en_GB' }, { value: de, loc: 'de_DE' }] } }) // prettier-ignore
const choice = (tid: string, en: string, de: string) => ({ tid, itm: [{ value: en, loc: 'en_GB' }, { value: de, loc: 'de_DE' }] }) // prettier-ignore

beforeAll(async () => {
  await createModel(api)
  const attrDef = [
    { tid: 'NET_WEIGHT', type: 'number', ...named('Net weight', 'Nettogewicht') },
    { tid: 'SINCE', type: 'date', ...named('Available since', 'Verfügbar ab') },
    { tid: 'VEGAN', type: 'boolean', ...named('Vegan product', 'Veganes Produkt') },
    { tid: 'SHADE', type: 'text', domainVals: { domainVal: [choice('g', 'Green', 'Grün'), choice('y', 'Yellow', 'Gelb')] }, ...named('Shade', 'Farbton') }, // prettier-ignore
    { tid: 'BLURB', type: 'text', localized: 'true', ...named('Description', 'Beschreibung') },
    { tid: 'SIZE', type: 'text', ...named('Size', 'Größe') },
  ]
  const reply = await api.post(`${pim}/attribute-definitions/persist`, { schemaVersion, attrDefs: { attrDef } }, { token: api.adminToken }) // prettier-ignore
  expect(reply.text).not.toContain('ERROR')
  await api.startWorker()
})

async function received(table: string | Buffer, name = 'x.csv'): Promise<string> {
  const { status, text, json } = await send(table, `name=${name}`)
  expect(status, text).toBe(200)
  return json.id
}
async function guess(table: string | Buffer, name = 'x.csv'): Promise<Mapping> {
  const { status, text, json } = await api.get(`${at}/${await received(table, name)}/guess`)
  expect(status, text).toBe(200)
  return json
}
const targetsOf = ({ columns = [] }: Mapping) =>
  Object.fromEntries(columns.map(({ column, meaning, reason }) => [column, `${meaning} by ${reason}`]))
const ended = (id: string, state: string) =>
  expect.poll(async () => (await api.get(`${at}/${id}`)).json.state, { timeout: 20_000 }).toBe(state)

const german = [
  'Preisliste Herbst;;;;;;;',
  '',
  'Artikel-Nr.;Bezeichnung;Warengruppe;Nettogewicht (kg);Verfuegbar ab;Veganes Produckt;Farbton;Beschreibung;Lagerplatz',
  'G1;Jacke;/Standard/Jackets;1.234,5;31.12.2025;ja;Grün;Warm;A1',
  'G2;Weste;/Standard/Jackets;0,25;01.02.2026;nein;gelb;Leicht;A2',
].join('\r\n')

describe('a guess', () => {
  test('finds the headings below a title, and every column with its notation and samples', async () => {
    const found = await guess(Buffer.from(german, 'latin1'))
    expect(found.profile).toMatchObject({
      delimiter: ';',
      headerRow: 3,
      decimal: ',',
      thousands: '.',
      dateFormat: 'DD.MM.YYYY',
      trueWords: ['ja'],
      falseWords: ['nein'],
    })
    expect(targetsOf(found)).toEqual({
      'Artikel-Nr.': 'tid by word',
      Bezeichnung: 'name by word',
      Warengruppe: 'node by word',
      'Nettogewicht (kg)': 'NET_WEIGHT by label',
      'Verfuegbar ab': 'SINCE by label',
      'Veganes Produckt': 'VEGAN by similar',
      Farbton: 'SHADE by label',
      Beschreibung: 'BLURB@de_DE by label',
      Lagerplatz: 'ignore by none',
    })
    const column = (name: string) => found.columns!.find((one) => one.column === name)!
    expect(column('Nettogewicht (kg)').samples).toEqual([
      { cell: '1.234,5', value: '1234.5' },
      { cell: '0,25', value: '0.25' },
    ])
    expect(column('Farbton').samples).toEqual([
      { cell: 'Grün', value: 'g' },
      { cell: 'gelb', value: 'y' },
    ])
    expect(column('Veganes Produckt').confidence).toBeLessThan(column('Farbton').confidence!)
    expect(found.rows!.map(({ faults }) => faults ?? [])).toEqual([[], []])
  })

  test('is imported as it is', async () => {
    const id = await received(Buffer.from(german, 'latin1'))
    const { profile } = (await api.get(`${at}/${id}/guess`)).json as Mapping
    const set = await api.post(`${at}/${id}/profile`, profile, { method: 'PUT' })
    expect(set.status, set.text).toBe(200)
    expect(set.json).toMatchObject({ state: 'received', encoding: 'windows-1252' })
    expect((await api.post(`${at}/${id}/start`)).status).toBe(200)
    await ended(id, 'finished')
    expect((await rowsOf(id)).map(({ status }: { status: string }) => status)).toEqual(['created', 'created'])
    const [one] = await retrieve('G1')
    expect(JSON.stringify(one.vals)).toContain('1234.5')
    const again = await api.post(`${at}/${id}/profile`, profile, { method: 'PUT' })
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('only be changed before it starts')])
  })

  test('reads the notation from columns that a person has mapped since, too', async () => {
    const id = await received('SKU;Name;Masse;Ab;Öko\nN1;Vest;1.250,5;1.2.2026;ja\nN2;Coat;0,5;15.2.2026;nein\n')
    const path = `${at}/${id}`
    const { profile } = (await api.get(`${path}/guess`)).json as Mapping
    expect(profile).not.toHaveProperty('decimal')
    const attrs: Record<string, string> = { Masse: 'NET_WEIGHT', Ab: 'SINCE', Öko: 'VEGAN' }
    const columns = profile!.columns!.map((one) => attrs[one.column] ? { column: one.column, attr: attrs[one.column] } : one) // prettier-ignore
    const set = await api.post(`${path}/profile`, { ...profile, columns }, { method: 'PUT' })
    expect(set.status, set.text).toBe(200)
    const again = (await api.get(`${path}/guess`)).json as Mapping
    expect(again.profile).toEqual({ ...profile, decimal: ',', thousands: '.', dateFormat: 'D.M.YYYY', trueWords: ['ja'], falseWords: ['nein'] }) // prettier-ignore
  })

  test('finds the sheet of a workbook, and reads its numbers as such', async () => {
    const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
    const line = (...cells: string[]) => `<row>${cells.join('')}</row>`
    const cover = sheetOf(line(text('Our catalogue')))
    const table = sheetOf(
      line(text('')) + line(text('SKU'), text('Product name'), text('Net weight')) + line(text('W1'), text('Vest'), '<c><v>1.5</v></c>') + line(text('W2'), text('Coat'), text('2,75')), // prettier-ignore
    )
    const book = await workbookOf({
      ...bookParts({ sheets: [{ file: 'sheet1.xml' }, { file: 'sheet2.xml' }] }),
      'xl/worksheets/sheet1.xml': cover,
      'xl/worksheets/sheet2.xml': table,
    })
    const found = await guess(book, 'x.xlsx')
    expect(found.profile).toMatchObject({ sheet: 'S1', headerRow: 2, decimal: ',' })
    expect(found.sheets).toEqual(['S0', 'S1'])
    expect(found.columns!.at(-1)).toMatchObject({
      meaning: 'NET_WEIGHT',
      samples: [{ cell: '1,5', value: '1.5' }, { cell: '2,75', value: '2.75' }], // prettier-ignore
    })
  })

  test('proposes articles if a code repeats and another one does not', async () => {
    const found = await guess('Model no,SKU,Name,Size\nM1,M1-S,Jacket,S\nM1,M1-M,Jacket,M\nM2,M2-S,Vest,S\n')
    expect(targetsOf(found)).toMatchObject({ 'Model no': 'tid by word', 'SKU': 'article:tid by word', 'Name': 'name by word', 'Size': 'article:SIZE by tid' }) // prettier-ignore
  })

  test('converts amounts, and names articles by their code if they have no name', async () => {
    const found = await guess('Style;SKU;Net weight (g)\nM1;M1-S;500\nM1;M1-M;1,5 kg\n')
    expect(found.profile!.columns).toEqual([
      { column: 'Style', field: 'tid' },
      { column: 'SKU', field: 'tid', level: 'article' },
      { column: 'Net weight (g)', attr: 'NET_WEIGHT', level: 'article', unit: 'g' },
      { column: 'article:name', field: 'name', level: 'article', template: '{SKU}' },
    ])
    expect(found.columns!.slice(2).map(({ samples }) => samples)).toEqual([
      [{ cell: '500', value: '500' }, { cell: '1,5 kg', value: '1500' }], // prettier-ignore
      [{ cell: '', value: 'M1-S' }, { cell: '', value: 'M1-M' }], // prettier-ignore
    ])
  })

  test('reads headings of Kontor, languages and two columns that look alike', async () => {
    const found = await guess('tid;BLURB@en_GB;Description (German);article:tid;Descriptio\nA;b;c;d;e\n')
    expect(targetsOf(found)).toEqual({
      tid: 'tid by heading',
      'BLURB@en_GB': 'BLURB@en_GB by heading',
      'Description (German)': 'BLURB@de_DE by label',
      'article:tid': 'article:tid by heading',
      Descriptio: 'ignore by none',
    })
  })

  test('does not name attributes that the caller may not see', async () => {
    const grants = [
      { kind: 'product', actions: ['read', 'update', 'create'], visibleAttributes: { except: ['NET_WEIGHT'] } },
    ]
    const role = await api.post('/api/v1/identity/roles/blind', { grants }, { method: 'PUT', token: api.adminToken })
    expect(role.status, role.text).toBe(200)
    const token = await api.tokenFor({ name: 'bea', roles: ['blind'] })
    const sent = await api.post(`${at}/imports?name=x.csv`, 'SKU;Net weight\n1;2\n', { token, type: 'application/octet-stream' }) // prettier-ignore
    const { json } = await api.get(`${at}/${sent.json.id}/guess`, { token })
    expect(targetsOf(json)).toEqual({ SKU: 'tid by word', 'Net weight': 'ignore by none' })
    expect((await api.get(`${at}/${sent.json.id}/guess`)).status).toBe(404) // the import of another user
  })

  test('is refused for messages, which need no mapping', async () => {
    const { status, text } = await api.get(`${at}/${await received('{"tid":"P1"}\n', 'x.jsonl')}/guess`)
    expect([status, text]).toEqual([400, expect.stringContaining('only tables are mapped')])
  })
})

test('a file of which nothing is understood cannot be started, and a check does not end it', async () => {
  const id = await received('foo;bar\n1;2\n')
  const start = await api.post(`${at}/${id}/start`)
  expect([start.status, start.text]).toEqual([400, expect.stringContaining('no column has a target (foo, bar)')])
  expect((await api.post(`${at}/${id}/validate`)).status).toBe(200)
  await expect
    .poll(async () => (await api.get(`${at}/${id}`)).json.problem, { timeout: 20_000 })
    .toContain('column foo')
  expect((await api.get(`${at}/${id}`)).json.state).toBe('received')
  const all = { columns: [{ column: 'foo', field: 'tid' }, { column: 'bar', field: 'ignore' }] } // prettier-ignore
  const tried = await api.post(`${at}/${id}/mapping`, all)
  expect(tried.json.columns[0]).toMatchObject({ meaning: 'tid', reason: 'profile', samples: [{ cell: '1', value: '1' }] }) // prettier-ignore
  expect((await api.post(`${at}/${id}/profile`, all, { method: 'PUT' })).json).not.toHaveProperty('problem')
  const wrong = await api.post(`${at}/${id}/mapping`, { headerRow: 0 })
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('headerRow')])
  expect((await api.post(`${at}/${id}/start`)).status).toBe(200)
  await ended(id, 'finished')
})
