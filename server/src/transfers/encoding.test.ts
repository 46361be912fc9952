/** CSV files in the encodings that people have: read as they were meant, or refused with the place. */
import { buffer } from 'node:stream/consumers'
import type { Infer, Product } from '@kontor/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, productCalls } from '../../test/catalogue.ts'
import { withServer } from '../../test/server.ts'
import { transferCalls } from '../../test/transfers.ts'
import { toZip } from '../adapters/zip.ts'

const api = withServer()
const at = '/api/v1/transfers'
const { retrieve } = productCalls(api)
const { send, run, rowsOf } = transferCalls(api)
beforeAll(async () => {
  await createModel(api)
  await api.startWorker()
})

const textOf = async (tid: string) =>
  ((await retrieve(tid)) as Infer<typeof Product>[])[0]!.vals!.val![0]!.itm![0]!.value

/** Bytes that are not the same in Latin-1. */
const tables: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'windows-1252': { '€': 0x80, '„': 0x84, '“': 0x93, '–': 0x96 },
  'iso-8859-15': { '€': 0xa4 },
  macintosh: { '€': 0xdb, ö: 0x9a, ß: 0xa7, ü: 0x9f, ä: 0x8a, é: 0x8e, '–': 0xd0 },
  'iso-8859-1': {},
}
const encodeAs = (text: string, encoding: string): Buffer => {
  if (encoding === 'utf-8') return Buffer.from(text)
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le')
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16()
  return Buffer.from(Array.from(text, (sign) => tables[encoding]![sign] ?? sign.charCodeAt(0)))
}
const rowOf = (tid: string, text: string) => `${tid};${tid};/Standard/Jackets;${text}\r\n`
const tableOf = (tid: string, text: string) => `tid;name;node;material\r\n${rowOf(tid, text)}`

describe('the encoding of a CSV is detected and shown', () => {
  test.each([
    ['utf-8', 'utf-8', 'Größe für 5 €', ''],
    ['utf-8', 'utf-8', 'Größe für 5 €', '\ufeff'],
    ['utf-16le', 'utf-16le', 'Größe für 5 €', '\ufeff'],
    ['utf-16be', 'utf-16be', 'Größe für 5 €', '\ufeff'],
    ['utf-16le', 'utf-16le', 'Größe für 5 €', ''],
    ['utf-16be', 'utf-16be', 'Größe für 5 €', ''],
    ['windows-1252', 'windows-1252', 'Größe €', ''],
    ['windows-1252', 'windows-1252', '5 €', ''],
    ['windows-1252', 'windows-1252', 'Maß „eng“ – schön', ''],
    ['iso-8859-1', 'windows-1252', 'Größe für Männer, café', ''],
    ['iso-8859-15', 'iso-8859-15', 'Größe für 5 €', ''],
    ['macintosh', 'macintosh', 'Größe für 5 €', ''],
    ['macintosh', 'macintosh', 'übergröße für kühle Männer – café', ''],
  ])('%s as %s: %s, with the mark %j', async (encoding, found, name, mark) => {
    const tid = `E-${encoding}-${name.length}-${mark.length}`
    const transfer = await run(encodeAs(mark + tableOf(tid, name), encoding))
    expect(transfer).toMatchObject({ encoding: found, created: 1, refused: 0 })
    expect(await textOf(tid)).toBe(name)
  })

  test('also if only the last row of a long file shows it', async () => {
    const rows = Array.from({ length: 3000 }, (_, i) => rowOf(`L${i}`, `plain ${'x'.repeat(60)}`))
    const text = `tid;name;node;material\r\n${rows.join('')}${rowOf('LAST', 'Größe €')}`
    const { id, encoding } = (await send(encodeAs(text, 'windows-1252'), 'name=long.csv')).json
    expect(encoding).toBe('windows-1252')
    expect((await api.get(`${at}/${id}`)).json.encoding).toBe('windows-1252')
  })

  test('in a zip, as soon as it has been opened', async () => {
    const table = encodeAs(tableOf('ZE1', 'Größe €'), 'windows-1252')
    const bytes = (async function* () { yield table })() // prettier-ignore
    const zip = await buffer(toZip([{ name: 'data.csv', bytes, compress: true }]))
    const { id } = (await send(zip, 'name=x.zip')).json
    expect((await api.get(`${at}/${id}/preview`)).json.rows).toMatchObject([
      { item: { vals: { val: [{ itm: [{ value: 'Größe €' }] }] } } },
    ])
    expect((await api.get(`${at}/${id}`)).json.encoding).toBe('windows-1252')
    expect(await run(zip, 'name=x.zip&encoding=iso-8859-15')).toMatchObject({ encoding: 'iso-8859-15', refused: 1 })
  })
})

describe('the encoding of a CSV is the one that is given', () => {
  test('in the call, otherwise in the profile', async () => {
    const bytes = encodeAs(tableOf('G1', '1 ¤ = ½ ¦'), 'iso-8859-1')
    await api.post(`${at}/profiles/mac`, { encoding: 'macintosh' }, { method: 'PUT' })
    for (const [query, encoding, name] of [
      ['name=x.csv&encoding=ISO-8859-1', 'iso-8859-1', '1 ¤ = ½ ¦'],
      ['name=x.csv&profile=mac', 'macintosh', '1 § = Ω ¶'],
      ['name=x.csv&profile=mac&encoding=iso-8859-15', 'iso-8859-15', '1 € = œ Š'],
    ] as const) {
      expect(await run(bytes, query)).toMatchObject({ encoding, refused: 0 })
      expect(await textOf('G1')).toBe(name)
    }
    const put = await api.post(`${at}/profiles/mac`, { encoding: 'mac' }, { method: 'PUT' })
    expect([put.status, put.text]).toEqual([400, expect.stringContaining('encoding')])
  })

  test.each([
    ['windows-1251', 'Куртка', [0xca, 0xf3, 0xf0, 0xf2, 0xea, 0xe0]],
    ['shift_jis', '冬', [0x93, 0x7e]],
  ])('also %s', async (encoding, name, bytes) => {
    const [before, after] = tableOf(`O${bytes.length}`, '|').split('|') as [string, string]
    const table = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)])
    expect(await run(table, `name=x.csv&encoding=${encoding}`)).toMatchObject({ encoding, created: 1 })
    expect(await textOf(`O${bytes.length}`)).toBe(name)
  })

  test('but a byte order mark has priority', async () => {
    const bytes = Buffer.from(`\ufeff${tableOf('G2', 'Größe')}`)
    expect(await run(bytes, 'name=x.csv&encoding=windows-1252')).toMatchObject({ encoding: 'utf-8', created: 1 })
    expect(await textOf('G2')).toBe('Größe')
  })
})

describe('a CSV is refused', () => {
  test.each([
    ['utf-8', Buffer.from([0x47, 0xf6, 0xdf]), 'utf-8'],
    ['windows-1252', Buffer.from([0x47, 0x81]), 'windows-1252'],
    ['iso-8859-1', Buffer.from([0x35, 0x80]), 'iso-8859-1'],
    ['iso-8859-15', Buffer.from([0x35, 0x80]), 'iso-8859-15'],
  ])('by row and column where bytes are not %s', async (encoding, bad, named) => {
    const [before, after] = tableOf('BAD', '|').split('|') as [string, string]
    const good = rowOf(`GOOD-${encoding}`, 'fine')
    const bytes = Buffer.concat([Buffer.from(before), bad, Buffer.from(after + good)])
    const { id, created, refused } = await run(bytes, `name=x.csv&encoding=${encoding}`)
    expect([created, refused]).toEqual([1, 1])
    const reason = `has a character that cannot be read as ${named}; give the encoding of the file, or correct the character`
    expect((await rowsOf(id))[0]).toEqual({ row: 1, status: 'refused', faults: [{ column: 'material', reason }] })
    expect((await api.get(`${at}/${id}/result`)).text).toContain(`refused,"material: ${reason}"`)
    expect((await api.get(`${at}/${id}/preview`)).json.rows[0]).toEqual({
      row: 1,
      faults: [{ column: 'material', reason }],
    })
  })

  test('in its damaged rows only, if it is UTF-8 or windows-1252 otherwise', async () => {
    const rows = (tid: string) => Array.from({ length: 12 }, (_, i) => rowOf(`${tid}${i}`, `Größe ${i}`)).join('') // prettier-ignore
    const damaged = (tid: string) => Buffer.from(rowOf(`${tid}X`, 'a\x81b'), 'latin1')
    for (const [tid, encoding] of [
      ['DU', 'utf-8'],
      ['DW', 'windows-1252'],
    ] as const) {
      const bytes = Buffer.concat([
        Buffer.from('tid;name;node;material\r\n'),
        encodeAs(rows(tid), encoding),
        damaged(tid),
      ])
      const transfer = await run(bytes)
      expect(transfer).toMatchObject({ encoding, created: 12, refused: 1 })
      expect(await textOf(`${tid}3`)).toBe('Größe 3')
    }
  })

  test.each([
    [
      'a heading is not in its encoding',
      Buffer.from('tid;Gr\xf6\xdfe\n1;2\n', 'latin1'),
      '&encoding=utf-8',
      'the heading of column 2 has a character that cannot be read as utf-8',
    ],
    [
      'it ends in the middle of a character',
      Buffer.from('tid;\u{1f600}').subarray(0, 7),
      '&encoding=utf-8',
      'the heading of column 2',
    ],
  ])('as a whole if %s', async (_why, bytes, query, problem) => {
    const transfer = await run(bytes, `name=x.csv${query}`)
    expect(transfer).toMatchObject({ state: 'failed', problem: expect.stringContaining(problem) })
  })

  test.each([
    [
      'an encoding is unknown',
      'name=x.csv&encoding=ebcdic',
      'tid\n1\n',
      'encoding: unknown encoding ebcdic; expected one of utf-8',
    ],
    [
      'an encoding is given for XML',
      'name=x.xml&encoding=utf-8',
      '<pim/>',
      'encoding: only CSV has a choice of encodings',
    ],
    [
      'it looks like Cyrillic',
      'name=x.csv',
      Buffer.from(
        'tid;name\n1;\xca\xf3\xf0\xf2\xea\xe0 \xec\xf3\xe6\xf1\xea\xe0\xff \xe7\xe8\xec\xed\xff\xff\n',
        'latin1',
      ),
      'looks like windows-1251; give its encoding',
    ],
    [
      'it mixes encodings',
      'name=x.csv',
      Buffer.concat([
        Buffer.from('tid;name\n1;Gr\xf6\xdfe\n2;Gr\xf6\xdfe\n3;Gr\xf6\xdfe\n', 'latin1'),
        Buffer.from('4;Größe\n'),
      ]),
      'cells in UTF-8 and cells in another encoding',
    ],
    ['it is not a text', 'name=x.csv', Buffer.from([1, 0, 0, 0, 2, 0, 0, 0]), 'the file is not a text'],
  ])('when it is sent, if %s', async (_why, query, body, sentence) => {
    const reply = await send(Buffer.from(body), query)
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(sentence)])
  })

  test('and so is a JSON line that is not UTF-8, alone', async () => {
    const line = (tid: string, name: string) => `{"tid":"${tid}","name":"${tid} ${name}","node":"/Standard/Jackets"}\n`
    const bytes = Buffer.from(line('JU1', 'Gr\xf6\xdfe') + line('JU2', 'fine'), 'latin1')
    const { id, created, refused } = await run(bytes, 'name=x.jsonl')
    expect([created, refused]).toEqual([1, 1])
    expect(await rowsOf(id)).toMatchObject([{ row: 1, faults: [{ reason: expect.stringContaining('not UTF-8') }] }, {}])
  })
})
