/** Tables in the notation of their profile: numbers, dates, words for yes and no, and values of other systems. */
import type { Infer, Product, TransferProfile } from '@kontor/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, productCalls } from '../../test/catalogue.ts'
import { withServer } from '../../test/server.ts'
import { transferCalls } from '../../test/transfers.ts'
import { bookParts, sheetOf, workbookOf } from '../../test/workbook.ts'

const api = withServer()
const at = '/api/v1/transfers'
const { retrieve, perform } = productCalls(api)
const { run, send, rowsOf, exported, resultOf, previewOf } = transferCalls(api)
beforeAll(async () => {
  await createModel(api)
  await api.startWorker()
})

type Profile = Infer<typeof TransferProfile>
const putProfile = (name: string, profile: object) => api.post(`${at}/profiles/${name}`, profile, { method: 'PUT' })
/** Imports a table with the profile. */
async function importWith(profile: Profile, table: string | Buffer, name = 'x.csv') {
  const { status, text } = await putProfile('notation', profile)
  expect(status, text).toBe(200)
  return run(table, `name=${name}&profile=notation`)
}
const valuesOf = async (tid: string) => {
  const [product] = (await retrieve(tid)) as Infer<typeof Product>[]
  return Object.fromEntries(product!.vals!.val!.map(({ attr, itm = [] }) => [attr, itm.map(({ value }) => value)]))
}
const rowOf = (tid: string, ...cells: string[]) => [tid, tid, '/Standard/Jackets', ...cells].join(';')
const tableOf = (heading: string, ...rows: string[]) => [`tid;name;node;${heading}`, ...rows].join('\r\n')

describe('numbers', () => {
  test.each([
    [{ decimal: ',', thousands: '.' }, '1.234,50', '1234.5'],
    [{ decimal: ',', thousands: '.' }, '1.000', '1000'],
    [{ decimal: ',', thousands: '.' }, '-0,5', '-0.5'],
    [{ decimal: ',' }, '1,5e2', '150'],
    [{ thousands: ',' }, '1,234,567.25', '1234567.25'],
    [{ thousands: "'" }, '1’000.5', '1000.5'],
    [{ decimal: ',', thousands: ' ' }, '1\u00a0000,0', '1000'],
    [{ thousands: "'" }, "1'0.5", undefined],
    [{ decimal: ',', thousands: '.' }, '12.5', undefined],
    [{ decimal: ',' }, '12.5', undefined],
    [{ decimal: ',' }, '1,2,3', undefined],
    [{ decimal: ',' }, ',', undefined],
    [{ decimal: ',' }, 'E5', undefined],
  ] as const)('with %j: %s is %s', async (profile, cell, expected) => {
    const { id } = await importWith(profile, tableOf('width', rowOf('NUM', cell)))
    const [row] = await rowsOf(id)
    if (expected === undefined) expect(row).toMatchObject({ status: 'refused', faults: [{ column: 'width' }] })
    else expect(await valuesOf('NUM'), JSON.stringify(row)).toEqual({ width: [expected] })
  })

  test('that are refused name the cell and the notation', async () => {
    const { id } = await importWith({ decimal: ',', thousands: '.' }, tableOf('weight', rowOf('NUM2', 'ask us')))
    expect((await rowsOf(id))[0].faults).toEqual([
      { column: 'weight', reason: '"ask us" is not a number such as 1.234,5; the profile says how it is written' },
    ])
    expect(await resultOf(id)).toContain('ask us')
  })

  test('of a workbook are numbers, and its texts are in the notation of the profile', async () => {
    const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
    const cells = ['tid', 'name', 'node', 'width'].map(text).join('')
    const rowWith = (tid: string, cell: string) =>
      `<row>${text(tid)}${text(tid)}${text('/Standard/Jackets')}${cell}</row>`
    const sheet = sheetOf(`<row>${cells}</row>${rowWith('W1', '<c><v>1.234</v></c>')}${rowWith('W2', text('1.234'))}`)
    const book = await workbookOf({ ...bookParts(), 'xl/worksheets/sheet1.xml': sheet })
    await importWith({ decimal: ',', thousands: '.' }, book, 'x.xlsx')
    expect([await valuesOf('W1'), await valuesOf('W2')]).toEqual([{ width: ['1.234'] }, { width: ['1234'] }])
  })

  test('in lists are read one by one', async () => {
    await importWith({ decimal: ',' }, tableOf('width', rowOf('NUM3', '1,5|2|0,25')))
    expect(await valuesOf('NUM3')).toEqual({ width: ['1.5', '2', '0.25'] })
  })
})

describe('dates', () => {
  test.each([
    ['DD.MM.YYYY', '25.02.2024', '2024-02-25T00:00:00.000Z'],
    ['DD.MM.YYYY', '5.2.2024', undefined],
    ['D.M.YYYY', '5.2.2024', '2024-02-05T00:00:00.000Z'],
    ['M/D/YYYY', '02/05/2024', '2024-02-05T00:00:00.000Z'],
    ['YYYYMMDD', '20240229', '2024-02-29T00:00:00.000Z'],
    ['YYYYMMDD', '20230229', undefined],
    ['DD.MM.YYYY HH:mm', '25.02.2024 08:30', '2024-02-25T08:30:00.000Z'],
    ['DD.MM.YYYY HH:mm', '25.02.2024 25:30', undefined],
    ['DD.MM.YYYY', '2024-02-25T00:00:00.000Z', '2024-02-25T00:00:00.000Z'],
    ['DD.MM.YYYY', '2024-02-25', undefined],
  ])('in the format %s: %s is %s', async (dateFormat, cell, expected) => {
    const transfer = await importWith({ dateFormat }, tableOf('launch', rowOf('DATE', cell)))
    const [row] = await rowsOf(transfer.id)
    if (expected === undefined) expect(row).toMatchObject({ status: 'refused', faults: [{ column: 'launch' }] })
    else expect(await valuesOf('DATE'), JSON.stringify(row)).toEqual({ launch: [expected] })
  })
})

test.each([
  ['Ja', 'true'],
  [' x ', 'true'],
  ['NEIN', 'false'],
  ['false', 'false'],
  ['vielleicht', undefined],
])('words for yes and no: %s is %s', async (cell, expected) => {
  const words = { trueWords: ['ja', 'x'], falseWords: ['nein'] }
  const transfer = await importWith(words, tableOf('washable', rowOf('BOOL', cell)))
  const [row] = await rowsOf(transfer.id)
  if (expected === undefined) expect(row).toMatchObject({ status: 'refused', faults: [{ column: 'washable' }] })
  else expect(await valuesOf('BOOL')).toEqual({ washable: [expected] })
})

test('the values of a column are replaced, in lists one by one; others are read in their notation', async () => {
  const profile: Profile = {
    decimal: ',',
    columns: [
      { column: 'Gruppe', field: 'node', values: { JACKEN: '/Standard/Jackets', '': '/Standard' } },
      { column: 'Farbe', attr: 'color', values: { rot: 'red', blau: 'blue' } },
      { column: 'Größen', attr: 'sizes', values: { klein: 'S', groß: 'L|XL' } },
      { column: 'Gewicht', attr: 'weight', values: { leicht: '0.5', constructor: '1' } },
    ],
  }
  const rows = ['V1;V1;JACKEN;rot;klein|M|groß;leicht', 'V2;V2;;blue;M;1,5', 'V3;V3;JACKEN;blau;M;toString']
  const { id } = await importWith(profile, ['tid;name;Gruppe;Farbe;Größen;Gewicht', ...rows].join('\n'))
  const [one, two, three] = await rowsOf(id)
  expect([one.status, two.status, three.status]).toEqual(['created', 'created', 'refused'])
  expect(await valuesOf('V1')).toMatchObject({ sizes: ['S', 'M', 'L|XL'], weight: ['0.5'] })
  expect((await retrieve('V1'))[0].node).not.toBe((await retrieve('V2'))[0].node)
  expect(await valuesOf('V2')).toMatchObject({ weight: ['1.5'] })
})

describe('constants', () => {
  test('are values of every row, and are refused by their heading', async () => {
    const profile: Profile = { decimal: ',', constants: { node: '/Standard/Jackets', weight: '1.5', sizes: 'S|M' } }
    const { id } = await importWith(profile, 'tid;name;width\nC1;C1;2,5\nC2\nC3;C3;1;surplus\n')
    const rows = await rowsOf(id)
    expect(rows.map(({ status }: { status: string }) => status)).toEqual(['created', 'refused', 'refused'])
    expect(rows[2].faults).toEqual([{ reason: expect.stringContaining('in column 4 has no heading') }])
    expect(await valuesOf('C1')).toEqual({ weight: ['1.5'], sizes: ['S', 'M'], width: ['2.5'] })
    expect((await resultOf(id)).slice(1).split('\r\n')[0]).toBe('tid,name,width,status,message')
    const wrong = await importWith({ constants: { node: '/Standard/Jackets', weight: 'x' } }, 'tid;name\nC4;C4\n')
    expect((await rowsOf(wrong.id))[0].faults).toMatchObject([{ column: 'weight' }])
  })

  test('are in the preview', async () => {
    await putProfile('notation', { constants: { node: '/Standard/Jackets', unknown: 'x' } })
    const { columns } = await previewOf((await send('tid;name\nC5;C5\n', 'name=x.csv&profile=notation')).json.id)
    expect(columns).toMatchObject([
      { column: 'tid' },
      { column: 'name' },
      { column: 'node', meaning: 'node' },
      { column: 'unknown', fault: 'no attribute has the tid unknown' },
    ])
  })

  test('do not hide a column of the file', async () => {
    const { state, problem } = await importWith(
      { constants: { node: '/Standard' } },
      tableOf('weight', rowOf('C6', '1')),
    )
    expect([state, problem]).toEqual(['failed', expect.stringContaining('a constant of the profile and column 3 both mean node')]) // prettier-ignore
  })
})

test('the preview shows the values, and what it does not understand', async () => {
  await putProfile('notation', { decimal: ',', dateFormat: 'DD.MM.YYYY' })
  const table = tableOf('weight;launch', rowOf('PRE', '1,5', '25.02.2024'), rowOf('PRE', '1.5', 'soon'))
  const { rows } = await previewOf((await send(table, 'name=x.csv&profile=notation')).json.id)
  expect(rows[0].item.vals.val).toMatchObject([{ itm: [{ value: '1.5' }] }, { itm: [{ value: '2024-02-25' }] }])
  expect(rows[1].faults).toMatchObject([{ column: 'weight' }, { column: 'launch' }])
})

describe('an export with the profile', () => {
  const profile: Profile = {
    decimal: ',',
    thousands: '.',
    dateFormat: 'DD.MM.YYYY',
    trueWords: ['ja'],
    falseWords: ['nein'],
    delimiter: ';',
    columns: [
      { column: 'Nr', field: 'tid' },
      { column: 'Gewicht', attr: 'weight' },
      { column: 'Breiten', attr: 'width' },
      { column: 'Start', attr: 'launch' },
      { column: 'Waschbar', attr: 'washable' },
      { column: 'Farbe', attr: 'color', values: { rot: 'red' } },
    ],
  }
  const setUp = () =>
    importWith(
      {},
      [
        'tid;name;node;weight;width;launch;washable;color',
        'X1;X1;/Standard/Jackets;12.5;-1.5;2024-02-25;true;red',
        'X2;X2;/Standard/Jackets;1000;3.5|4;2024-02-25T08:30:00Z;false;blue',
      ].join('\n'),
    )

  test('writes the notation of the profile, and an import of it changes nothing', async () => {
    await setUp()
    await putProfile('german', profile)
    const csv = await exported({ format: 'csv', profile: 'german', tids: ['X1', 'X2'] })
    expect(csv.toString().slice(1).trimEnd().split('\r\n')).toEqual([
      'Nr;Gewicht;Breiten;Start;Waschbar;Farbe',
      'X1;12,5;-1,5;25.02.2024;ja;rot',
      'X2;1000;3,5|4;2024-02-25T08:30:00.000Z;nein;blue',
    ])
    expect(await run(csv, 'name=x.csv&profile=german')).toMatchObject({ unchanged: 2, refused: 0 })
    const xlsx = await exported({ format: 'xlsx', profile: 'german', tids: ['X1', 'X2'] })
    expect(await run(xlsx, 'name=x.xlsx&profile=german')).toMatchObject({ unchanged: 2, refused: 0 })
  })
})

describe('the headings', () => {
  const profile: Profile = { headerRow: 4, sheet: 'Preise & Co', columns: [{ column: 'Nr', field: 'tid' }] }

  test.each(['\n', '\r\n', '\r'])(
    'of a CSV are in the row of the profile, with the line break %j',
    async (lineBreak) => {
      const tid = `H${lineBreak.length}${lineBreak.charCodeAt(0)}`
      const lines = ['Price list, as of today, of us', '', '"2024', 'Nr;name;node;width', `${tid};${tid};/Standard/Jackets;5`, 'none;none;/none;5'] // prettier-ignore
      const { id, created, refused } = await importWith(profile, lines.join(lineBreak))
      expect([created, refused]).toEqual([1, 1])
      expect(await valuesOf(tid)).toEqual({ width: ['5'] })
      const result = (await resultOf(id)).replace('/none', '/Standard/Jackets').replace(/none/g, `${tid}b`)
      expect(await run(result, 'name=x.csv&profile=notation')).toMatchObject({ created: 1, refused: 0 })
    },
  )

  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
  const row = (r: number, ...cells: string[]) => `<row r="${r}">${cells.map(text).join('')}</row>`
  const book = (sheets: Parameters<typeof bookParts>[0], second: string) =>
    workbookOf({
      ...bookParts(sheets),
      'xl/worksheets/a.xml': sheetOf(row(1, 'x')),
      'xl/worksheets/b.xml': sheetOf(second),
    })
  const sheets = [{ file: 'a.xml' }, { file: 'b.xml', state: 'hidden' }]

  test('of a workbook are in the sheet and the row of the profile', async () => {
    const table = row(1, 'Price list') + row(4, 'Nr', 'name', 'node') + row(5, 'H3', 'H3', '/Standard/Jackets')
    const bytes = await book({ sheets }, table)
    expect(await importWith({ ...profile, sheet: 's1' }, bytes, 'x.xlsx')).toMatchObject({ created: 1, refused: 0 })
    const { problem } = await importWith({ ...profile, sheet: 'Prices' }, bytes, 'x.xlsx')
    expect(problem).toBe('the workbook has no sheet Prices; it has S0, S1')
  })

  test('that are missing are named', async () => {
    expect((await importWith(profile, 'a\nb\nc\n')).problem).toContain('the file has no row 4')
    expect((await importWith({ headerRow: 2 }, await book({ sheets }, ''), 'x.xlsx')).problem).toContain('the sheet has no row 2') // prettier-ignore
  })

  test.each(['csv', 'xlsx'])('of an export as %s are where an import with the profile expects them', async (format) => {
    await importWith({}, tableOf('width', rowOf('H4', '5')))
    await putProfile('placed', profile)
    const file = await exported({ format, profile: 'placed', columns: ['Nr', 'width'], tids: ['H4'] })
    expect(await run(file, `name=x.${format}&profile=placed`)).toMatchObject({ unchanged: 1, refused: 0 })
  })
})

test('a row that marks a deletion, as in the table of a series, is refused', async () => {
  await importWith({}, tableOf('material', rowOf('DEL1', 'wool'), rowOf('DEL2', 'wool')))
  const series = () => exported({ format: 'csv', tids: ['DEL1', 'DEL2'], series: 'marks' })
  await series()
  await perform({ type: 'delete', tid: 'DEL2' })
  await importWith({}, tableOf('material', rowOf('DEL1', 'felt')))
  const table = await series()
  const transfer = await run(table)
  expect(transfer).toMatchObject({ created: 0, updated: 0, unchanged: 1, refused: 1 })
  const refused = (await rowsOf(transfer.id)).find(({ status }: { status: string }) => status === 'refused')
  expect(refused.faults).toEqual([{ column: 'deleted', reason: expect.stringContaining('imports do not delete') }])
  expect(await resultOf(transfer.id)).toContain('true,refused,')
  expect(await importWith({}, 'tid;deleted\nDEL1;false\nDEL1;0\nDEL1;\n')).toMatchObject({ unchanged: 3 })
  const ignoring: Profile = { columns: [{ column: 'deleted', field: 'ignore' }] }
  expect(await importWith(ignoring, 'tid;deleted\nDEL1;true\n')).toMatchObject({ unchanged: 1 })
})

test.each([
  ['jsonl', '{"deletion":{"dataType":"product","tid":"DEL1"}}'],
  ['xml', '<pim xmlns="http://www.apollon.de/omn" schemaVersion="5.6.0"><deletions><deletion dataType="product" tid="DEL1"/></deletions></pim>'], // prettier-ignore
])('a deletion as %s is refused as well', async (format, text) => {
  expect(await run(text, `name=x.${format}`)).toMatchObject({ state: 'finished', updated: 0, unchanged: 0, refused: 1 })
})

describe('a profile is refused', () => {
  test.each([
    [{ decimal: ';' }, 'decimal'],
    [{ thousands: '.' }, 'thousands: . is also the decimal sign'],
    [{ decimal: ',', thousands: ',' }, 'thousands: , is also the decimal sign'],
    [{ dateFormat: 'DD.MM.YY' }, 'dateFormat: expected the year as YYYY'],
    [{ dateFormat: 'YYYY-MM' }, 'dateFormat: '],
    [{ dateFormat: 'DMYYYY' }, 'dateFormat: '],
    [{ dateFormat: 'DD. MMMM YYYY' }, 'dateFormat: '],
    [{ dateFormat: 'DD.MM.YYYY HH' }, 'dateFormat: '],
    [{ trueWords: ['ja', 'X'], falseWords: ['x'] }, 'falseWords: x is also one of trueWords'],
    [{ trueWords: [' '] }, 'an empty word'],
    [{ headerRow: 0 }, 'headerRow: expected a row from 1 to 1000'],
    [{ headerRow: 1.5 }, 'headerRow'],
    [{ sheet: 'a/b' }, 'sheet: expected the name of a sheet'],
    [{ constants: { ignore: 'x' } }, 'constants: ignore is not understood'],
    [{ constants: { deleted: 'true' } }, 'constants: deleted is not understood'],
    [{ constants: { 'a:b:c': 'x' } }, 'constants: a:b:c is not understood'],
  ])('%j: %s', async (profile, message) => {
    const { status, text } = await putProfile('wrong', profile)
    expect([status, text]).toEqual([400, expect.stringContaining(message)])
  })
})
