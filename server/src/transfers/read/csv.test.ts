import { Readable } from 'node:stream'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../errors.ts'
import { toCsv } from '../write/tables.ts'
import { readCsv } from './csv.ts'
import { type Bytes, maxColumns, type Source } from './source.ts'

const bytesOf = (...pieces: (string | Buffer)[]): Bytes => Readable.from(pieces.map((piece) => Buffer.from(piece)))
const tableOf = async ({ headings, rows }: Source) => [headings, ...(await Readable.from(rows).toArray()).map(cellsOf)]
const cellsOf = (row: object): unknown => ('cells' in row ? row.cells : row)
const read = async (text: string, delimiter?: string) => tableOf(await readCsv(bytesOf(text), { delimiter }))

describe('the delimiter', () => {
  test.each([
    ['semicolons', ';'],
    ['tabs', '\t'],
    ['commas', ','],
    ['bars', '|'],
  ])('is guessed from a first line with %s', async (_what, sign) => {
    expect(await read(`tid${sign}name\nP1${sign}Jacket\n`)).toEqual([
      ['tid', 'name'],
      ['P1', 'Jacket'],
    ])
  })

  test('is not guessed from quoted headings', async () => {
    expect(await read('"a;b;c;d",name\n1,2\n')).toEqual([
      ['a;b;c;d', 'name'],
      ['1', '2'],
    ])
  })

  test('is not guessed from later lines', async () => {
    expect(await read('tid,name\nP1;a;b;c,Jacket\n')).toEqual([
      ['tid', 'name'],
      ['P1;a;b;c', 'Jacket'],
    ])
  })

  test.each([
    ['sep=;\r\ntid;a,b\r\nP1;x\r\n', undefined],
    ['\ufeff"sep=;"\ntid;a,b\nP1;x\n', undefined],
    ['sep=;\ntid;a,b\nP1;x\n', ';'],
  ])('is that of a line of a spreadsheet above the headings: %j', async (text, delimiter) => {
    const table = [
      ['tid', 'a,b'],
      ['P1', 'x'],
    ]
    expect(await read(text, delimiter)).toEqual(table)
    const pieces = [...text]
    expect(await tableOf(await readCsv(bytesOf(...pieces), { delimiter }))).toEqual(table)
    const below = text.slice(text.indexOf('\n') + 1)
    expect(await tableOf(await readCsv(bytesOf(`title\n${below}`), { headerRow: 2, delimiter: ';' }))).toEqual(table)
  })

  test('is the given one, whatever the first line looks like', async () => {
    expect(await read('tid~a;b;c\nP1~x;y\n', '~')).toEqual([
      ['tid', 'a;b;c'],
      ['P1', 'x;y'],
    ])
  })
})

describe('a CSV', () => {
  test('may have delimiters, line breaks and doubled quotes within quotes', async () => {
    expect(await read('tid,name\r\n"P,1","a ""red""\r\njacket"\r\n')).toEqual([
      ['tid', 'name'],
      ['P,1', 'a "red"\r\njacket'],
    ])
  })

  test('may have quotes within a cell that is not quoted', async () => {
    expect(await read('tid,name\nP1,27" screen\n')).toEqual([
      ['tid', 'name'],
      ['P1', '27" screen'],
    ])
  })

  test('may begin with a byte order mark, which is no part of the first heading', async () => {
    expect(await read('\ufefftid,name\nP1,Jacket\n')).toEqual([
      ['tid', 'name'],
      ['P1', 'Jacket'],
    ])
  })

  test('may have rows that are longer or shorter than the headings', async () => {
    expect(await read('tid,name\nP1,Jacket,more,still more\nP2\n')).toEqual([
      ['tid', 'name'],
      ['P1', 'Jacket', 'more', 'still more'],
      ['P2'],
    ])
  })

  test('has headings without the spaces around them, and cells with theirs', async () => {
    expect(await read(' tid , name\n P1 , Jacket\n')).toEqual([
      ['tid', 'name'],
      [' P1 ', ' Jacket'],
    ])
  })

  test('has rows that are numbered from 1, without empty lines', async () => {
    const { rows } = await readCsv(bytesOf('tid,name\n\nP1,a\n\n\nP2,b'))
    expect(await Readable.from(rows).toArray()).toEqual([
      { number: 1, cells: ['P1', 'a'] },
      { number: 2, cells: ['P2', 'b'] },
    ])
  })

  test('has no rows of delimiters alone, which spreadsheets write below a table', async () => {
    const { rows } = await readCsv(bytesOf('tid,name,\nP1,a,\n,,\nP2,b,\n,,\n"",,\n'))
    expect(await Readable.from(rows).toArray()).toMatchObject([
      { number: 1, cells: ['P1', 'a', ''] },
      { number: 2, cells: ['P2', 'b', ''] },
    ])
  })

  test('may have line breaks of several kinds', async () => {
    const text = 'tid,name\r\nP1,a\nP2,b\rP3,c\r\n"P\r4",d\n'
    for (let size = 1; size < text.length; size++) {
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!
      expect(await tableOf(await readCsv(bytesOf(...pieces))), `${size}`).toEqual([
        ['tid', 'name'],
        ['P1', 'a'],
        ['P2', 'b'],
        ['P3', 'c'],
        ['P\r4', 'd'],
      ])
    }
  })

  test('is the same when its bytes arrive in pieces that cut a letter', async () => {
    const whole = Buffer.from('tid,name\nP1,Größe\n')
    const cut = whole.indexOf('ö') + 1
    expect(await tableOf(await readCsv(bytesOf(whole.subarray(0, cut), whole.subarray(cut))))).toEqual([
      ['tid', 'name'],
      ['P1', 'Größe'],
    ])
  })

  test.each(['utf-8', 'utf-16le', 'gb18030'] as const)(
    'in %s is the same when it arrives byte by byte',
    async (encoding) => {
      const text = 'tid;name\r\nP1;\u{1f600} 中\r\n'
      const gb18030 = Buffer.concat([Buffer.from('tid;name\r\nP1;'), Buffer.from('9439fc36', 'hex'), Buffer.from([0x20, 0xd6, 0xd0, 0x0d, 0x0a])]) // prettier-ignore
      const whole = encoding === 'gb18030' ? gb18030 : Buffer.from(text, encoding)
      const bytes = bytesOf(...Array.from(whole, (byte) => Buffer.from([byte])))
      expect(await tableOf(await readCsv(bytes, { encoding }))).toEqual([['tid', 'name'], ['P1', '\u{1f600} 中']]) // prettier-ignore
    },
  )

  test('without a line is refused', async () => {
    await expect(readCsv(bytesOf())).rejects.toThrow('the file is empty: its first row must have the headings')
    await expect(readCsv(bytesOf('\n\n'))).rejects.toThrow('the file is empty')
  })

  test('may have quotes that do not end at the end of a cell, which stay as they are', async () => {
    expect(await read('tid;name;text\nP1;"19" rack;"a "b" c"\nP2;"x";"y" ""\n')).toEqual([
      ['tid', 'name', 'text'],
      ['P1', '"19" rack', '"a "b" c"'],
      ['P2', 'x', '"y" ""'],
    ])
  })

  test('with a quote that swallows rows refuses the cell', async () => {
    const text = 'tid;name;text\nP1;"27 inch;a\nP2;b;c\nP3;"d";e\nP4;"f ""\n"" g";h\n'
    for (let size = 1; size < text.length; size++) {
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!
      const { rows } = await readCsv(bytesOf(...pieces))
      expect(await Readable.from(rows).toArray(), `${size}`).toEqual([
        {
          number: 1,
          cells: ['P1', '"27 inch;a\nP2;b;c\nP3;"d"', 'e'],
          faults: [{ index: 1, reason: expect.stringContaining('begins with a quote that is not closed') }],
        },
        { number: 2, cells: ['P4', 'f "\n" g', 'h'] },
      ])
    }
  })

  test('with a heading that swallows rows is refused', async () => {
    await expect(readCsv(bytesOf('tid;"name\nP1;"a" b\n'))).rejects.toThrow(
      'the heading of column 2 begins with a quote',
    )
  })

  test('with too many columns is refused', async () => {
    const headings = (count: number) => Array.from({ length: count }, (_, i) => `A${i}`).join(',')
    await expect(readCsv(bytesOf(headings(maxColumns + 1)))).rejects.toThrow(`more than ${maxColumns} columns`)
    expect((await readCsv(bytesOf(headings(maxColumns)))).headings).toHaveLength(maxColumns)
  })

  test('with a quote that is never closed is refused as a fault of the file', async () => {
    const { rows } = await readCsv(bytesOf('tid,name\nP1,"Jacket\n'))
    const failure = await Readable.from(rows)
      .toArray()
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Problem)
    expect(failure).toMatchObject({ kind: 'invalid', message: expect.stringContaining('the CSV cannot be read') })
  })
})

test('any cells are read as they were written', async () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.stringMatching(/^[",;|\t\r\n ]{0,6}$/),
    fc.stringMatching(/^['=+@\t\r\n-]{1,4}[x5]?$/),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell, cell), { maxLength: 8 }), async (rows) => {
      const headings = ['tid', 'name', 'TITLE@de_DE']
      for (const keepsFormulas of [false, true]) {
        const written = toCsv(headings, Readable.from(rows), { keepsFormulas })
        const filled = rows.filter((cells) => cells.some((one) => one !== ''))
        expect(await tableOf(await readCsv(written, { keepsFormulas }))).toEqual([headings, ...filled])
      }
    }),
  )
})

test.each(['\n', '\r\n', '\r'])(
  'the headings are in the given row, in pieces of any size, with the line break %j',
  async (lineBreak) => {
    const text = ['\ufeffPrices, of us', '', 'tid;name', 'P1;Jacket', ''].join(lineBreak)
    for (let size = 1; size < text.length; size++) {
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!
      expect(await tableOf(await readCsv(bytesOf(...pieces), { headerRow: 3 })), `${size}`).toEqual([
        ['tid', 'name'],
        ['P1', 'Jacket'],
      ])
    }
  },
)
