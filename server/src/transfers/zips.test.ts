/** Zips as people and programs make them. */
import { buffer } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, productCalls } from '../../test/catalogue.ts'
import { withServer } from '../../test/server.ts'
import { transferCalls } from '../../test/transfers.ts'
import { toZip } from '../adapters/zip.ts'
import { toXlsx } from './write/tables.ts'

const api = withServer()
const { retrieve } = productCalls(api)
const { run, rowsOf } = transferCalls(api)
beforeAll(async () => {
  await createModel(api)
  await api.startWorker()
})

const zipOf = (entries: Readonly<Record<string, string | Buffer>>) =>
  buffer(toZip(Object.entries(entries).map(([name, content]) => ({ name, compress: true, bytes: (async function* () { yield Buffer.from(content) })() })))) // prettier-ignore
const tableOf = (tid: string, file = '') => `tid,name,node,asset\n${tid},${tid},/Standard/Jackets,${file}\n`
async function bookOf(tid: string, file: string): Promise<Buffer> {
  async function* rows() {
    yield [tid, tid, '/Standard/Jackets', file]
  }
  const parts = []
  for await (const part of toXlsx(['tid', 'name', 'node', 'asset'], rows())) parts.push(part)
  return Buffer.concat(parts)
}

test('a workbook in a zip brings its pictures', async () => {
  const zip = await zipOf({ 'prices.xlsx': await bookOf('BOOK', 'front.txt'), 'media/front.txt': 'front' })
  const { id, created } = await run(zip, 'name=x.zip')
  expect(created, JSON.stringify(await rowsOf(id))).toBe(1)
  expect(JSON.stringify((await retrieve('BOOK'))[0].links)).toContain('assetTid')
})

describe('the data file of a zip', () => {
  test('is not the note beside it, nor what a program hides', async () => {
    const zip = await zipOf({ '._data.csv': 'x', 'README.txt': 'Read me first', 'data.csv': tableOf('NOTED'), '__MACOSX/._data.csv': 'x' }) // prettier-ignore
    expect(await run(zip, 'name=x.zip')).toMatchObject({ created: 1, refused: 0 })
  })

  test('may be a text, if it is the only one', async () => {
    expect(await run(await zipOf({ 'data.txt': tableOf('TEXT') }), 'name=x.zip')).toMatchObject({ created: 1 })
  })

  test('is the only one: of several, none is left out silently', async () => {
    const zip = await zipOf({ 'french.csv': tableOf('FR'), 'german.csv': tableOf('DE') })
    const problem = 'the zip has several data files at its top: french.csv, german.csv; import each of them alone'
    expect(await run(zip, 'name=x.zip')).toMatchObject({ state: 'failed', problem })
  })
})

test.each([
  ['other capitals', 'media/Front.TXT', 'front.txt'],
  ['umlauts as two characters, as on a Mac', 'media/a\u0308rmel.txt', '\u00e4rmel.txt'],
])('a cell names a file of the zip with %s', async (what, entry, file) => {
  const { id, created } = await run(await zipOf({ 'data.csv': tableOf(what.slice(0, 6), file), [entry]: what }), 'name=x.zip') // prettier-ignore
  expect(created, JSON.stringify(await rowsOf(id))).toBe(1)
})
