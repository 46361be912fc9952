/** Import of a CSV file with thirty columns of values against the same rows through products/persist: rate and memory. */
import { setTimeout as pause } from 'node:timers/promises'
import { attributes, generateModel, isLocalized, nameOf, nodeOf, valuesOf } from '../generate-products.ts'
import type { Table } from './measure.ts'
import { type BenchServer, startServer } from './server.ts'

const at = '/api/v1/transfers'
const json = { 'content-type': 'application/json' }

export async function imports(server: BenchServer, rows = 100_000): Promise<Table[]> {
  await generateModel(server.database)
  // first on a new process, so that its memory is that of the import; what follows is warm, which makes the ratio harder
  const { rate: byImport, early, most } = await imported(server, 'File', rows)
  const byPersist = await persisted(server, 'Sent', 10_000)
  const whole = await importedWithSearch(rows)
  const perSecond = (rate: number) => `${Math.round(rate)} rows/s`
  const title = `Importing ${rows.toLocaleString('en')} rows of CSV with ${attributes} columns of values`
  return [
    {
      title,
      baseline: '',
      rows: [
        { what: 'the same through products/persist, 1,000 a request', rate: perSecond(byPersist), ratio: 1 },
        {
          what: 'import (ratio at least 0.5, memory below 400 MB)',
          rate: `${perSecond(byImport)}, memory at most ${early.toFixed(0)} MB in its first fifth, ${most.toFixed(0)} MB in all`,
          ratio: byImport / byPersist,
        },
        {
          what: 'the same with the search index of these rows in the same process',
          rate: `${perSecond(whole.rate)}, memory at most ${whole.early.toFixed(0)} MB in its first fifth, ${whole.most.toFixed(0)} MB in all`,
        },
      ],
    },
  ]
}

/** As `npm start` has it: the index of what is imported grows in the same process. */
async function importedWithSearch(rows: number) {
  const server = await startServer()
  try {
    await generateModel(server.database)
    return await imported(server, 'File', rows)
  } finally {
    await server.stop()
  }
}

const tidOf = (prefix: string, i: number) => `${prefix}-${i}`

/** One language each, so that there are as many columns as values. */
const cellOf = (value: ReturnType<typeof valuesOf>[string]) =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.join('|') : value.en_GB!

async function persisted(server: BenchServer, prefix: string, count: number): Promise<number> {
  const bodies = Array.from({ length: count / 1000 }, (_, b) => {
    const product = Array.from({ length: 1000 }, (_, i) => messageOf(prefix, b * 1000 + i))
    return JSON.stringify({ schemaVersion: '5.6.0', products: { product } })
  })
  const began = performance.now()
  for (const body of bodies) {
    const reply = await server.post('/api/core/v1/pim/products/persist', body, json)
    if ((await reply.text()).includes('ERROR')) throw new Error('a product was refused')
  }
  return count / ((performance.now() - began) / 1000)
}

function messageOf(prefix: string, i: number): object {
  const val = Object.entries(valuesOf(i)).map(([attr, value]) => {
    const text = cellOf(value)
    if (Array.isArray(value)) return { attr, itm: value.map((one, pos) => ({ value: one, pos })) }
    return { attr, itm: [typeof value === 'string' ? { value: text } : { value: text, loc: 'en_GB' }] }
  })
  return { tid: tidOf(prefix, i), name: `${nameOf(i)} ${prefix}`, node: nodeOf(i), vals: { val } }
}

async function imported(server: BenchServer, prefix: string, count: number) {
  const headings = Array.from({ length: attributes }, (_, a) => `trial_${a}${isLocalized(a) ? '@en_GB' : ''}`)
  async function* lines() {
    yield Buffer.from(`tid,name,node,${headings.join(',')}\n`)
    for (let i = 0; i < count; i++) {
      const cells = Object.values(valuesOf(i)).map(cellOf)
      yield Buffer.from(`${tidOf(prefix, i)},${nameOf(i)} ${prefix},${nodeOf(i)},${cells.join(',')}\n`)
    }
  }
  const body = ReadableStream.from(lines()) as unknown as ReadableStream
  const type = { 'content-type': 'text/csv' }
  const { id } = (await (await server.post(`${at}/imports?name=bench.csv`, body, type)).json()) as { id: string }
  let [early, most, share] = [0, 0, 0]
  const observe = async () => {
    most = Math.max(most, await server.memory())
    if (share < 0.2) early = most
  }
  const watch = setInterval(() => void observe(), 100)
  const began = performance.now()
  await server.post(`${at}/${id}/start`, '{}', json)
  for (;;) {
    const reply = await fetch(`${server.url}${at}/${id}`, { headers: server.headers })
    const now = (await reply.json()) as { state: string; share: number; refused?: number; problem?: string }
    share = now.share
    if (now.state === 'finished' && !now.refused) break
    if (now.state !== 'running' || now.refused)
      throw new Error(`the import is ${now.state}: ${now.problem ?? now.refused}`)
    await pause(200)
  }
  clearInterval(watch)
  return { rate: count / ((performance.now() - began) / 1000), early, most }
}
