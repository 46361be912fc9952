/** A rule over many products, against bulk writes of the same products by messages and by a plain change; and a search by a measure, against one by a number. */
import { setTimeout as pause } from 'node:timers/promises'
import { compareTime, type Table } from './measure.ts'
import type { BenchServer } from './server.ts'

const pim = '/api/core/v1/pim'
const schemaVersion = '5.6.0'
const named = (name: string) => ({ name: { itm: [{ value: name, loc: 'en_GB' }] } })

export async function rules(server: BenchServer, count = 5000): Promise<Table[]> {
  const call = async (path: string, body?: object, method = 'POST') => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const reply =
      method === 'GET'
        ? await fetch(server.url + path, { headers: server.headers })
        : await server.post(path, body === undefined ? '' : JSON.stringify(body), headers, method)
    const text = await reply.text()
    if (!reply.ok || text.includes('"ERROR"')) throw new Error(`${path}: ${reply.status} ${text.slice(0, 500)}`)
    return JSON.parse(text || 'null') as { id: string; state: string; changed: number; totalHitCount: number }
  }
  await create(count, call)
  const finished = async (id: string) => {
    for (;;) {
      const change = await call(`/api/v1/changes/${id}`, undefined, 'GET')
      if (change.state === 'finished') return Number(change.changed)
      if (change.state === 'failed') throw new Error(JSON.stringify(change))
      await pause(20)
    }
  }
  let turn = 0
  const condition = { queryType: 'FIELD', name: 'classificationPath', comparator: 'EQ', value: '/Ruled' }
  const search = { context: { searchType: 'INDEX', index: 'PRODUCT' }, query: condition }
  while ((await call('/api/v1/search', search)).totalHitCount < count) await pause(500)
  const plain = {
    what: 'change of many products: set a value of all that a search finds',
    async run() {
      const operations = [{ type: 'set', attribute: 'label', values: [`Plain ${turn++}`] }]
      const { id } = await call('/api/v1/changes', { selection: { search }, operations })
      await call(`/api/v1/changes/${id}/start`)
      return finished(id)
    },
  }
  const rule = {
    what: 'rule: concatenate a template for all that match its condition',
    async run() {
      const operations = [{ type: 'concatenate', attribute: 'label', template: `{brand} {$name} ${turn++}` }]
      await call('/api/v1/rules/bench', { condition, operations }, 'PUT')
      return finished((await call('/api/v1/rules/bench/run')).id)
    },
  }
  const calculated = {
    what: 'rule: calculate an expression for them',
    async run() {
      const expression = `filled("brand") ? upper(text("brand")) + " ${turn++}" : "none"`
      await call('/api/v1/rules/bench', { condition, operations: [{ type: 'calculate', attribute: 'label', expression }] }, 'PUT') // prettier-ignore
      return finished((await call('/api/v1/rules/bench/run')).id)
    },
  }
  const title = `A rule over ${count.toLocaleString('en')} products`
  // A run over many products is long enough to warm up by itself.
  const [turns, warm] = count > 20_000 ? [1, 0] : [3, undefined]
  const ofRules = await compareTime(
    title,
    'products',
    1,
    [persisted(count, call), plain, rule, calculated],
    turns,
    warm,
  )
  return [ofRules, await measures(count, call)]
}

async function create(count: number, call: (path: string, body: object) => Promise<object>): Promise<void> {
  const attrDef = [
    ...['brand', 'label'].map((tid) => ({ tid, type: 'text', ...named(tid) })),
    { tid: 'grams', type: 'number', ...named('grams') },
    { tid: 'weight', type: 'measure', format: { family: 'mass' }, ...named('weight') },
  ]
  await call(`${pim}/attribute-definitions/persist`, { schemaVersion, attrDefs: { attrDef } })
  await call(`${pim}/classes/persist`, { schemaVersion, classes: { clazz: [{ tid: 'Ruled', ...named('Ruled') }] } })
  for (let at = 0; at < count; at += 1000) {
    const product = Array.from({ length: Math.min(1000, count - at) }, (_, i) => ({
      tid: `R-${at + i}`,
      name: `Jacket ${at + i}`,
      node: '/Ruled',
      vals: {
        val: [
          { attr: 'brand', itm: [{ value: `Brand ${i % 7}` }] },
          { attr: 'grams', itm: [{ value: String((i * 7919) % 50_000) }] },
          { attr: 'weight', itm: [{ value: `${(i * 7919) % 50_000} g` }] },
        ],
      },
    }))
    await call(`${pim}/products/persist`, { schemaVersion, products: { product } })
  }
}

function persisted(count: number, call: (path: string, body: object) => Promise<object>) {
  let turn = 0
  return {
    what: 'persist: set a value, 1,000 products per message',
    async run() {
      const val = [{ attr: 'label', itm: [{ value: `Persisted ${turn++}` }] }]
      for (let at = 0; at < count; at += 1000) {
        const product = Array.from({ length: Math.min(1000, count - at) }, (_, i) => ({ tid: `R-${at + i}`, vals: { val } })) // prettier-ignore
        await call(`${pim}/products/persist`, { schemaVersion, products: { product } })
      }
      return count
    },
  }
}

async function measures(count: number, call: (path: string, body: object) => Promise<object>): Promise<Table> {
  const rounds = 50
  const by = (name: string, what: string, unit: string) => ({
    what,
    async run() {
      for (let n = 0; n < rounds; n++) {
        const query = { queryType: 'FIELD', name, comparator: 'GT', value: `${10_000 + n}${unit}` }
        const sortOptions = [{ attribute: name, direction: 'DESC' }]
        const context = { searchType: 'INDEX', index: 'PRODUCT' }
        await call('/api/v1/search', { context, query, sortOptions, resultAttributes: ['tid'] })
      }
      return rounds
    },
  })
  return compareTime(`A filter and sort over ${count.toLocaleString('en')} products`, 'searches', 1, [
    by('grams', 'by a number', ''),
    by('weight', 'by a measure', ' g'),
  ])
}
