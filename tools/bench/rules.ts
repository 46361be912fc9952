/** A rule over many products, against a plain change of the same products in the same run. */
import { setTimeout as pause } from 'node:timers/promises'
import { compareTime, type Table } from './measure.ts'
import type { BenchServer } from './server.ts'

const pim = '/api/core/v1/pim'
const schemaVersion = '5.6.0'
const named = (name: string) => ({ name: { itm: [{ value: name, loc: 'en_GB' }] } })

export async function rules(server: BenchServer, count = 5000): Promise<Table> {
  const call = async (path: string, body?: object, method = 'POST') => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const reply =
      method === 'GET'
        ? await fetch(server.url + path, { headers: server.headers })
        : await server.post(path, body === undefined ? '' : JSON.stringify(body), headers, method)
    const text = await reply.text()
    if (!reply.ok || text.includes('"ERROR"')) throw new Error(`${path}: ${reply.status} ${text.slice(0, 500)}`)
    return JSON.parse(text || 'null') as { id: string; state: string; changed: number }
  }
  const attrDef = ['brand', 'label'].map((tid) => ({ tid, type: 'text', ...named(tid) }))
  await call(`${pim}/attribute-definitions/persist`, { schemaVersion, attrDefs: { attrDef } })
  await call(`${pim}/classes/persist`, { schemaVersion, classes: { clazz: [{ tid: 'Ruled', ...named('Ruled') }] } })
  for (let at = 0; at < count; at += 1000) {
    const product = Array.from({ length: Math.min(1000, count - at) }, (_, i) => ({
      tid: `R-${at + i}`,
      name: `Jacket ${at + i}`,
      node: '/Ruled',
      vals: { val: [{ attr: 'brand', itm: [{ value: `Brand ${i % 7}` }] }] },
    }))
    await call(`${pim}/products/persist`, { schemaVersion, products: { product } })
  }
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
  return compareTime(`A rule over ${count.toLocaleString('en')} products`, 'products', 1, [plain, rule, calculated], 3)
}
