import { Readable } from 'node:stream'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bookParts } from '../../../test/workbook.ts'
import { toXlsx } from '../write/tables.ts'
import { createGauge } from './source.ts'
import { readXlsx } from './xlsx.ts'
import { openZip, type Zip } from './zip.ts'

/** A workbook with these parts, without a file. */
const workbook = (own: Readonly<Record<string, string | Buffer>>): Zip => {
  const parts: Record<string, string | Buffer> = { ...bookParts(), ...own }
  return {
    names: Object.keys(parts),
    read: async (name) => Readable.from([Buffer.from(parts[name]!)]),
    sizeOf: (name) => Buffer.byteLength(parts[name]!),
    close: () => undefined,
  }
}
const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`
const headings = '<row><c t="inlineStr"><is><t>tid</t></is></c></row>'
const rowsOf = async (zip: Zip) => Readable.from((await readXlsx(zip, createGauge())).rows).toArray()
const cellsIn = async (rows: string, parts = {}) => {
  const found = await rowsOf(workbook({ 'xl/worksheets/sheet1.xml': sheet(headings + rows), ...parts }))
  return found.map(({ number, cells }) => ({ number, cells }))
}

test('a workbook that was written is read with the same cells', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-xlsx-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const rows = [
    ['007', ' a <b> & "c" ', 'Größe\nzwei'],
    ['P2', '', '1e3'],
    ['_x0041_', 'a\r\nb', '_x005F_x0041_x0042_ _x'],
  ]
  const file = join(folder, 'table.xlsx')
  writeFileSync(file, await buffer(toXlsx(['tid', 'name', 'TITLE@de_DE'], Readable.from(rows))))
  const zip = await openZip(file)
  onTestFinished(() => zip.close())
  const gauge = createGauge()
  const source = await readXlsx(zip, gauge)
  expect(source.headings).toEqual(['tid', 'name', 'TITLE@de_DE'])
  expect(await Readable.from(source.rows).toArray()).toEqual(rows.map((cells, i) => ({ number: i + 1, cells })))
  expect(gauge.share()).toBe(1)
})

describe('a cell', () => {
  test('with an address stands in its column, behind empty ones', async () => {
    expect(await cellsIn('<row><c r="B2"><v>1</v></c><c r="AA2"><v>2</v></c></row>')).toEqual([
      { number: 1, cells: ['', '1', ...Array.from({ length: 24 }, () => ''), '2'] },
    ])
  })

  test('that refers to a shared text has that text, with its runs and without its phonetic part', async () => {
    const shared = '<sst><si><t>a</t></si><si><r><t>re</t></r><r><t>d</t></r><rPh><t>ro</t></rPh></si></sst>'
    const cells = '<row><c t="s"><v>1</v></c><c t="s"><v>0</v></c></row>'
    expect(await cellsIn(cells, { 'xl/sharedStrings.xml': shared })).toEqual([{ number: 1, cells: ['red', 'a'] }])
  })

  test('has a date as an ISO text if its style shows a date, else its number', async () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd.mm.yyyy"/><numFmt numFmtId="165" formatCode="0 &quot;days&quot;"/></numFmts>' +
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>'
    const cells = [0, 1, 2, 3].map((style) => `<c s="${style}"><v>45000.5</v></c>`).join('')
    const date = '2023-03-15T12:00:00.000Z'
    expect(await cellsIn(`<row>${cells}</row>`, { 'xl/styles.xml': styles })).toEqual([
      { number: 1, cells: ['45000.5', date, date, '45000.5'] },
    ])
  })

  test.each([
    [20, '0.5625', '13:30'],
    [21, '0.000011574074', '00:00:01'],
    [164, '0.999999', '24:00'],
    [165, '1.5', '36:00'],
    [166, '0.25', '0.25'],
    [20, '45000.5', '2023-03-15T12:00:00.000Z'],
  ])('of format %s with the number %s has the time %s', async (format, number, time) => {
    const custom = { 164: 'hh:mm', 165: '[h]:mm:ss', 166: '0.0\\h' }
    const numFmts = Object.entries(custom).map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`).join('') // prettier-ignore
    const styles = `<styleSheet><numFmts>${numFmts}</numFmts><cellXfs><xf numFmtId="${format}"/></cellXfs></styleSheet>`
    const cells = await cellsIn(`<row><c s="0"><v>${number}</v></c></row>`, { 'xl/styles.xml': styles })
    expect(cells).toEqual([{ number: 1, cells: [time] }])
  })

  test.each([
    ['General', '1.1000000000000001', '1.1'],
    ['General', '19.989999999999998', '19.99'],
    ['General', '4.006381333931E12', '4006381333931'],
    ['General', '1.234E-5', '0.00001234'],
    ['General', '12345678901234567890', '12345678901234567890'],
    ['General', '1.50', '1.5'],
    ['00000000000000', '4006381333931', '04006381333931'],
    ['00000', '-7', '-7'],
    ['0%', '0.15', '15%'],
    ['0.0%', '7.0000000000000007E-2', '7%'],
    ['0.0"%"', '7.5', '7.5'],
    ['#,##0.00\\ "Stück"', '1234.5', '1234.5'],
  ])('of format %s with the number %s has the text %s that people see', async (format, number, text) => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${format.replaceAll('"', '&quot;')}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>`
    const cells = await cellsIn(`<row><c s="0"><v>${number}</v></c></row>`, { 'xl/styles.xml': styles })
    expect(cells).toEqual([{ number: 1, cells: [text] }])
  })

  test('with a date without a time is the day', async () => {
    const styles = '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>'
    const cells = await cellsIn('<row><c s="0"><v>45000</v></c></row>', { 'xl/styles.xml': styles })
    expect(cells).toEqual([{ number: 1, cells: ['2023-03-15'] }])
  })

  test('of a format that is very long is read in no time', async () => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${'['.repeat(1_000_000)}"/></numFmts></styleSheet>`
    expect(await cellsIn('<row><c s="0"><v>1</v></c></row>', { 'xl/styles.xml': styles })).toEqual([
      { number: 1, cells: ['1'] },
    ])
  })

  test('has a truth value as a word', async () => {
    const cells = '<row><c t="b"><v>1</v></c><c t="b"><v>0</v></c></row>'
    expect(await cellsIn(cells)).toEqual([{ number: 1, cells: ['true', 'false'] }])
  })
})

test('rows without a text are passed over', async () => {
  expect(await cellsIn('<row><c/><c/></row><row/><row><c><v>1</v></c></row>')).toEqual([{ number: 1, cells: ['1'] }])
})

test.each([
  ['without a sheet', { 'xl/workbook.xml': '<workbook/>' }, 'the workbook has no sheet that can be read'],
  ['with an empty sheet', { 'xl/worksheets/sheet1.xml': sheet('') }, 'the sheet is empty'],
  ['that is not XML', { 'xl/worksheets/sheet1.xml': '<worksheet><row></sheet>' }, 'the workbook cannot be read'],
  [
    'with bytes that are not UTF-8',
    { 'xl/worksheets/sheet1.xml': Buffer.from(sheet('<row><c><v>\xf6</v></c></row>'), 'latin1') },
    'its parts are not UTF-8',
  ],
  [
    'with too many columns',
    { 'xl/worksheets/sheet1.xml': sheet('<row><c r="ZZZ1"><v>1</v></c></row>') },
    'more than 2000 columns',
  ],
  [
    'with a shared text that is too long, even if no cell shows it',
    {
      'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(5_000_000)}</t></si></sst>`,
      'xl/worksheets/sheet1.xml': sheet(headings),
    },
    'a cell is longer than 4194304 characters',
  ],
  [
    'with a shared text of very many pieces',
    {
      'xl/sharedStrings.xml': `<sst><si>${`<r><t>${'x'.repeat(100_000)}</t></r>`.repeat(50)}</si></sst>`,
      'xl/worksheets/sheet1.xml': sheet(headings),
    },
    'a cell is longer than 4194304 characters',
  ],
  [
    'with a row that repeats a long text',
    {
      'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(1_000_000)}</t></si></sst>`,
      'xl/worksheets/sheet1.xml': sheet(`${headings}<row>${'<c t="s"><v>0</v></c>'.repeat(5)}</row>`),
    },
    'a row is longer than 4194304 characters',
  ],
  [
    'with a heading that is too long',
    { 'xl/worksheets/sheet1.xml': sheet(`<row><c t="inlineStr"><is><t>${'x'.repeat(1001)}</t></is></c></row>`) },
    'the heading of column 1 is longer than 1000 characters',
  ],
])('a workbook %s is refused', async (_what, parts, fault) => {
  await expect(rowsOf(workbook(parts))).rejects.toThrow(fault)
})

test('a text that does not end is refused before all of it is read', async () => {
  let read = 0
  const zip = {
    ...workbook({ 'xl/sharedStrings.xml': '', 'xl/worksheets/sheet1.xml': sheet(headings) }),
    read: async () =>
      Readable.from(
        (function* () {
          yield Buffer.from('<sst><si><t>')
          for (; read < 1000; read++) yield Buffer.alloc(1024 * 1024, 'x')
        })(),
      ),
  }
  await expect(rowsOf(zip)).rejects.toThrow('a cell is longer than 4194304 characters')
  expect(read).toBeLessThan(30)
})
