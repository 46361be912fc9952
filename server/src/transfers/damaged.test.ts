/** Files of imports whose bytes are damaged: they are refused with 400 when they are read, wherever the damage is. */
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { withServer } from '../../test/server.ts'
import { toZip } from '../adapters/zip.ts'
import { toXlsx } from './write/tables.ts'

const api = withServer()
const at = '/api/v1/transfers'

const lines = Array.from({ length: 20_000 }, (_, i) => `P${i},name ${(i * 7919) % 65_537}\n`)
const csv = Buffer.from(`tid,name\n${lines.join('')}`)
async function* rows() {
  for (const line of lines) yield line.trim().split(',')
}
const zipOf = (name: string, bytes: Buffer) =>
  buffer(toZip([{ name, bytes: (async function* () { yield bytes })(), compress: true }])) // prettier-ignore
const jsonl = Buffer.from(lines.map((line) => `{"tid":"${line.trim()}"}\n`).join(''))
const files: Readonly<Record<string, () => Promise<Buffer>>> = {
  'csv.zip': () => zipOf('products.csv', csv),
  'jsonl.zip': () => zipOf('products.jsonl', jsonl),
  'table.xlsx': async () => {
    const parts = []
    for await (const part of toXlsx(['tid', 'name'], rows())) parts.push(part)
    return Buffer.concat(parts)
  },
}

const send = async (name: string, bytes: Buffer): Promise<string> =>
  (await api.post(`${at}/imports?name=${name}`, bytes, { type: 'application/octet-stream' })).json.id

describe.each(Object.keys(files))('%s', (name) => {
  test('with damaged bytes is refused or read as far as it is sound', async () => {
    const whole = await files[name]!()
    for (let share = 1; share < 12; share++) {
      const bytes = Buffer.from(whole)
      const from = Math.floor((bytes.length * share) / 12)
      bytes.fill(0xff, from, from + 40)
      const id = await send(name, bytes)
      for (const path of ['preview?count=100', 'result']) {
        const reply = await api.get(`${at}/${id}/${path}`).catch((error: Error) => ({ status: 0, text: error.message }))
        expect([200, 400, 0], `${share} ${path}: ${reply.text}`).toContain(reply.status)
      }
    }
  })

  test('that ends early is refused', async () => {
    const whole = await files[name]!()
    for (const share of [0, 0.3, 0.9]) {
      const id = await send(name, whole.subarray(0, Math.floor(whole.length * share)))
      expect((await api.get(`${at}/${id}/preview`)).status).toBe(400)
    }
  })
})
