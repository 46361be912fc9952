/** A small model for tests of products: one attribute of each kind, two nodes. */
import { expect } from 'vitest'
import type { TestServer } from './server.ts'

export const pim = '/api/core/v1/pim'
export const schemaVersion = '5.6.0'
const named = (name: string) => ({ name: { itm: [{ value: name, loc: 'en_GB' }] } })

const domainVals = {
  domainVal: [
    { tid: 'red', itm: [{ value: 'Red', loc: 'en_GB' }] },
    { tid: 'blue', itm: [{ value: 'Blue', loc: 'en_GB' }] },
  ],
}

// prettier-ignore
const attrDef = [
  { tid: 'material', type: 'text', ...named('Material') },
  { tid: 'caption', type: 'text', localized: 'true', ...named('Caption') },
  { tid: 'sizes', type: 'text', multiValued: { value: 'true', cardinality: 3 }, ...named('Sizes') },
  { tid: 'notes', type: 'text', localized: 'true', multiValued: { value: 'true' }, ...named('Notes') },
  { tid: 'color', type: 'text', domainVals, ...named('Colour') },
  { tid: 'weight', type: 'number', domainRange: { from: '0', to: '1000' }, ...named('Weight') },
  { tid: 'launch', type: 'date', ...named('Launch') },
  { tid: 'washable', type: 'boolean', ...named('Washable') },
  { tid: 'code', type: 'text', validation: { type: '[A-Z]{2}[0-9]+', maxLength: 6 }, ...named('Code') },
  { tid: 'frozen', type: 'text', ...named('Frozen') },
  { tid: 'width', type: 'number', multiValued: { value: 'true' }, ...named('Width') },
  { tid: 'size_table', type: 'table', references: { itm: [{ value: 'width' }] }, ...named('Size table') },
]

/** Creates the model as an administrator: /Standard with Jackets, where `code` is required and `frozen` is read-only. */
export async function createModel(api: TestServer): Promise<void> {
  const admin = async (path: string, body: object) => {
    const reply = await api.post(`${pim}/${path}/persist`, { schemaVersion, ...body }, { token: api.adminToken })
    expect(reply.text).not.toContain('ERROR')
  }
  await admin('attribute-definitions', { attrDefs: { attrDef } })
  await admin('classes', { classes: { clazz: [{ tid: 'Standard', ...named('Standard') }] } })
  await admin('nodes', {
    nodes: {
      node: [
        { parentPath: '/Standard', tid: 'Jackets', ...named('Jackets') },
        { parentPath: '/Standard', tid: 'Boots', ...named('Boots') },
        { parentPath: '/Standard/Jackets', tid: 'Rain', ...named('Rain') },
      ],
    },
  })
  await admin('attributes', {
    attrs: {
      attr: [
        { nodePath: '/Standard/Boots', key: 'code', level: 'p', restriction: 'mandatory' },
        { nodePath: '/Standard', key: 'frozen', option: 'READONLY' },
      ],
    },
  })
}

export interface Obj {
  tid?: string
  name?: string
  node?: string
  vals?: object
  links?: object
  articles?: object
}

export function productCalls(api: TestServer) {
  const persist = async (...product: Obj[]) => {
    const reply = await api.post(`${pim}/products/persist`, { schemaVersion, products: { product } })
    expect(reply.status, reply.text).toBe(200)
    return reply.json.responses.response as {
      status: string
      description: string
      tid: string
      id: number
      details: { itm: { key: string; value: string }[] }
    }[]
  }
  const retrieve = async (...tids: string[]) =>
    (await api.post(`${pim}/products/retrieve`, { tids })).json.products.product
  const perform = async (...action: object[]) => {
    const all = action.map((one) => ({ dataType: 'product', ...one }))
    const reply = await api.post(`${pim}/products/perform`, { schemaVersion, actions: { action: all } })
    expect(reply.status, reply.text).toBe(200)
    return reply.json.responses.response
  }
  return { persist, retrieve, perform }
}

export const jacket = (tid: string, more: Obj = {}): Obj => ({
  tid,
  name: `Jacket ${tid}`,
  node: '/Standard/Jackets',
  ...more,
})
export const simple = (attr: string, value: string) => ({ attr, itm: [{ value }] })
export const vals = (...val: object[]) => ({ vals: { val } })
export const meta = (values: Record<string, string>) => ({
  meta: { itm: Object.entries(values).map(([key, value]) => ({ key, value })) },
})
