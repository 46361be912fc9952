/** Workbooks as spreadsheet programs and libraries write them: read as they look, or refused by cell. */
import type { Infer, Product } from '@kontor/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, jacket, productCalls, simple, vals } from '../../test/catalogue.ts'
import { withServer } from '../../test/server.ts'
import { transferCalls } from '../../test/transfers.ts'
import { bookParts, sheetOf, workbookOf } from '../../test/workbook.ts'

const api = withServer()
const { persist, retrieve } = productCalls(api)
const { run, rowsOf, resultOf, previewOf, exported, send } = transferCalls(api)
beforeAll(async () => {
  await createModel(api)
  await api.startWorker()
})

const text = (value: string, at = '') => `<c${at && ` r="${at}"`} t="inlineStr"><is><t>${value}</t></is></c>`
const row = (...cells: string[]) => `<row>${cells.map((cell) => (cell.startsWith('<') ? cell : text(cell))).join('')}</row>` // prettier-ignore
/** A sheet with products: the tid of each, and the cell for the attribute. */
const products = (attribute: string, ...rows: [tid: string, cell: string][]) =>
  sheetOf(row('tid', 'name', 'node', attribute) + rows.map(([tid, cell]) => row(tid, tid, '/Standard/Jackets', cell)).join('')) // prettier-ignore
const book = (sheet: string, parts: Parameters<typeof bookParts>[0] = {}, more = {}) =>
  workbookOf({ ...bookParts(parts), 'xl/worksheets/sheet1.xml': sheet, ...more })
const valueOf = async (tid: string) =>
  ((await retrieve(tid)) as Infer<typeof Product>[])[0]!.vals?.val?.[0]?.itm?.[0]?.value

describe('a cell', () => {
  test.each([
    [
      'has a formula without a result',
      '<c r="D2"><f>1+1</f></c>',
      'cell D2 has a formula without a result; open the workbook in a spreadsheet program, save it and send it again',
    ],
    [
      'has a formula with an empty result, as openpyxl writes it',
      '<c r="D2"><f>1+1</f><v></v></c>',
      'cell D2 has a formula without a result; open',
    ],
    [
      'has an error',
      '<c r="D2" t="e"><f>1/0</f><v>#DIV/0!</v></c>',
      'cell D2 has the error #DIV/0!; correct its formula',
    ],
    ['has an error without a formula', '<c t="e"><v>#N/A</v></c>', 'cell D2 has the error #N/A; correct its formula'],
    [
      'refers to a text that is missing',
      '<c t="s"><v>7</v></c>',
      'cell D2 refers to a text that the workbook does not have',
    ],
    [
      'has a character that cannot be stored',
      text('a_x0000_b'),
      'the character U+0000 cannot be part of a message; leave it out',
    ],
  ])('that %s refuses its row', async (_what, cell, reason) => {
    const tid = `X${Math.random().toString(36).slice(2)}`
    const { id, created, refused } = await run(await book(products('material', ['BAD', cell], [tid, 'good'])), 'name=x.xlsx') // prettier-ignore
    expect([created, refused]).toEqual([1, 1])
    expect((await rowsOf(id))[0]).toEqual({ row: 1, status: 'refused', faults: [{ column: 'material', reason: expect.stringContaining(reason) }] }) // prettier-ignore
    expect(await resultOf(id)).toContain(reason.replaceAll('"', '""'))
    expect(await run(await resultOf(id)), 'as long as it is not corrected').toMatchObject({ created: 0, updated: 0, refused: 1 }) // prettier-ignore
    expect((await previewOf(id)).rows[0].faults[0].reason).toContain(reason)
  })

  test('with a formula has the stored result, also an empty text', async () => {
    const cells: [string, string][] = [
      ['F1', '<c><f>1+1</f><v>2</v></c>'],
      ['F2', '<c t="str"><f>"a"&amp;"b"</f><v>ab</v></c>'],
      ['F3', '<c t="str"><f>""</f><v></v></c>'],
      ['F4', '<c><f>1-1</f><v>0</v></c>'],
    ]
    expect(await run(await book(products('material', ...cells)), 'name=x.xlsx')).toMatchObject({ created: 4, refused: 0 }) // prettier-ignore
    expect(await Promise.all(cells.map(([tid]) => valueOf(tid)))).toEqual(['2', 'ab', undefined, '0'])
  })

  test('with a formula and a 0 that the writer did not calculate is refused', async () => {
    const cells: [string, string][] = [['U1', '<c><f>A1*2</f><v>0</v></c>'], ['U2', '<c><f>A1*2</f><v>8</v></c>'], ['U3', '<c><v>0</v></c>']] // prettier-ignore
    const file = await book(products('material', ...cells), { after: '<calcPr fullCalcOnLoad="1"/>' })
    const { id } = await run(file, 'name=x.xlsx')
    expect(await rowsOf(id)).toMatchObject([
      { status: 'refused', faults: [{ reason: expect.stringContaining('cell D2 has a formula that may not have been calculated') }] }, // prettier-ignore
      { status: 'created' },
      { status: 'created' },
    ])
  })

  test('that cannot be read does not matter in a column that is not imported', async () => {
    const file = await book(products('message', ['I1', '<c t="e"><v>#N/A</v></c>']))
    expect(await run(file, 'name=x.xlsx')).toMatchObject({ created: 1, refused: 0 })
  })

  test('has the texts that _x000D_ and other escapes stand for', async () => {
    const shared = '<sst><si><t>one_x000D_\ntwo _x005F_x0041_</t></si></sst>'
    const file = await book(products('material', ['S1', '<c t="s"><v>0</v></c>'], ['S2', text('a_x0009_b _x0041')]), {}, { 'xl/sharedStrings.xml': shared }) // prettier-ignore
    expect(await run(file, 'name=x.xlsx')).toMatchObject({ created: 2, refused: 0 })
    expect([await valueOf('S1'), await valueOf('S2')]).toEqual(['one\r\ntwo _x0041_', 'a\tb _x0041'])
  })

  test.each([
    ['1900', '', '45000.5', '2023-03-15T12:00:00.000Z'],
    ['1900, before its wrong leap day', '', '1', '1900-01-01T00:00:00.000Z'],
    ['1904', '<workbookPr date1904="1"/>', '43538.5', '2023-03-15T12:00:00.000Z'],
    ['1904, written as a word', '<workbookPr date1904="true"/>', '0', '1904-01-01T00:00:00.000Z'],
  ])('has the date of the system of %s', async (_system, before, days, date) => {
    const styles = '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>'
    const tid = `D${Math.random().toString(36).slice(2)}`
    const file = await book(products('launch', [tid, `<c s="0"><v>${days}</v></c>`]), { before }, { 'xl/styles.xml': styles }) // prettier-ignore
    expect(await run(file, 'name=x.xlsx')).toMatchObject({ created: 1, refused: 0 })
    expect(new Date((await valueOf(tid))!).toISOString()).toBe(date)
  })

  test('has the number that people see: 15 digits, leading zeros, and the percent sign', async () => {
    const styles = '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="00000000000000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="9"/></cellXfs></styleSheet>' // prettier-ignore
    const cells: [string, string][] = [
      ['N1', '<c><v>1.1000000000000001</v></c>'],
      ['N2', '<c s="1"><v>4006381333931</v></c>'],
      ['N3', '<c s="2"><v>0.15</v></c>'],
      ['N4', '<c><v>4.006381333931E12</v></c>'],
    ]
    const file = await book(products('material', ...cells), {}, { 'xl/styles.xml': styles })
    expect(await run(file, 'name=x.xlsx')).toMatchObject({ created: 4, refused: 0 })
    expect(await Promise.all(cells.map(([tid]) => valueOf(tid)))).toEqual([
      '1.1',
      '04006381333931',
      '15%',
      '4006381333931',
    ])
  })

  test.each([
    ['', '45000', '2023-03-15'],
    ['DD.MM.YYYY', '45000', '15.03.2023'],
    ['DD.MM.YYYY', '45000.5', '2023-03-15T12:00:00.000Z'],
    ['DD.MM.YYYY HH:mm', '45000.5', '15.03.2023 12:00'],
  ])('of a text has the date in the format %j of the profile: %s is %s', async (dateFormat, days, date) => {
    const profile = await api.post('/api/v1/transfers/profiles/days', dateFormat === '' ? {} : { dateFormat }, { method: 'PUT' }) // prettier-ignore
    expect(profile.status, profile.text).toBeLessThan(300)
    const styles = '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>'
    const tid = `T${Math.random().toString(36).slice(2)}`
    const file = await book(products('material', [tid, `<c s="0"><v>${days}</v></c>`]), {}, { 'xl/styles.xml': styles })
    expect(await run(file, 'name=x.xlsx&profile=days')).toMatchObject({ created: 1, refused: 0 })
    expect(await valueOf(tid)).toBe(date)
  })

  test('formatted as a date with an impossible number refuses its row', async () => {
    const styles = '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>'
    const file = await book(products('launch', ['NEVER', '<c s="0"><v>1e300</v></c>']), {}, { 'xl/styles.xml': styles }) // prettier-ignore
    const { id } = await run(file, 'name=x.xlsx')
    expect(await rowsOf(id)).toMatchObject([{ faults: [{ column: 'launch', reason: 'cell D2 is formatted as a date but contains 1e300' }] }]) // prettier-ignore
  })
})

describe('the sheet', () => {
  const sheets = { 'xl/worksheets/sheet1.xml': products('material', ['WRONG', 'x']), 'xl/worksheets/other.xml': products('material', ['RIGHT', 'x']) } // prettier-ignore
  test.each([
    ['in another file than sheet1.xml', [{ file: 'other.xml' }, { file: 'sheet1.xml' }]],
    ['behind a hidden one', [{ file: 'sheet1.xml', state: 'hidden' }, { file: 'other.xml' }]],
    ['behind a chart', [{ file: 'sheet1.xml', type: 'chartsheet' }, { file: 'other.xml' }]],
  ])('is the first table that the workbook shows: %s', async (_where, order) => {
    const { id } = await run(await workbookOf({ ...bookParts({ sheets: order }), ...sheets }), 'name=x.xlsx')
    expect((await rowsOf(id)).map(({ tid }: { tid: string }) => tid)).toEqual(['RIGHT'])
  })

  test('may have elements with a prefix', async () => {
    const file = await book(products('material', ['PREFIX', 'x']).replaceAll(/<(\/?)(\w)/g, '<$1x:$2'))
    expect(await run(file, 'name=x.xlsx')).toMatchObject({ created: 1, refused: 0 })
  })

  test('that ends early is refused, and nothing of it is imported silently', async () => {
    const whole = products('material', ['SHORT1', 'x'], ['SHORT2', 'x'])
    const done = await run(await book(whole.slice(0, whole.indexOf('SHORT2'))), 'name=x.xlsx')
    expect(done).toMatchObject({ state: 'failed', problem: expect.stringContaining('the workbook cannot be read') })
  })

  test('behind a chart is guessed', async () => {
    const order = [{ file: 'sheet1.xml', type: 'chartsheet' }, { file: 'other.xml' }]
    const { json } = await send(await workbookOf({ ...bookParts({ sheets: order }), ...sheets }), 'name=x.xlsx')
    const guess = await api.get(`/api/v1/transfers/${json.id}/guess`)
    expect([guess.status, guess.json.sheets], guess.text).toEqual([200, ['S1']])
  })

  test('with an error in a heading is refused', async () => {
    const file = await book(sheetOf(row('tid', '<c t="e"><v>#REF!</v></c>') + row('1', '2')))
    expect(await run(file, 'name=x.xlsx')).toMatchObject({ state: 'failed', problem: 'the heading of column 2: cell B1 has the error #REF!; correct its formula' }) // prettier-ignore
  })
})

test.each([
  [
    'is of an old Excel or has a password',
    Buffer.from('d0cf11e0a1b11ae1'.padEnd(2048, '0'), 'hex'),
    'has a password; save it as XLSX without a password',
  ],
  ['is text', Buffer.from('tid;name'), 'the file is not a zip or is damaged'],
])('a workbook that %s is refused with the remedy', async (_what, bytes, problem) => {
  expect(await run(bytes, 'name=x.xlsx')).toMatchObject({ state: 'failed', problem: expect.stringContaining(problem) })
})

test('a workbook with macros is read as any other', async () => {
  expect(await run(await book(products('material', ['MACRO', 'x'])), 'name=x.xlsm')).toMatchObject({ created: 1 })
})

test('an exported workbook imports to the same texts, whatever they contain', async () => {
  const texts = ['_x0041_', 'one\r\ntwo', '_x005F_x0041_', ' <&> ', '=1+1', '007']
  await persist(...texts.map((one, i) => jacket(`RT${i}`, { name: `Round ${i}`, ...vals(simple('material', one)) })))
  const tids = texts.map((_, i) => `RT${i}`)
  const file = await exported({ format: 'xlsx', tids, columns: ['tid', 'material'] })
  await persist(...tids.map((tid) => ({ tid, ...vals(simple('material', 'changed')) })))
  expect(await run(file, 'name=x.xlsx')).toMatchObject({ updated: texts.length, refused: 0 })
  expect(await Promise.all(tids.map(valueOf))).toEqual(texts)
})
