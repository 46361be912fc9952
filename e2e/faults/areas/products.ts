/** Products as registers: written, swapped by If-Match, deleted and read by all clients at once; and links between them. */
import { call, type Client, core, describe, History, recordsOf, type Reply, schemaVersion } from '../client.ts'
import { checkLinear } from '../linear.ts'
import { register, type RegisterInput, type RegisterOutput } from '../models.ts'
import type { World } from '../world.ts'
import type { OpenArea } from './area.ts'

const products = `${core}/pim/products`
const numbers = [0, 1, 2]
export const createClass = { schemaVersion, classes: { clazz: [{ tid: 'Std', name: { itm: [{ value: 'Std' }] } }] } }

export const productArea: OpenArea = (world) => {
  const history = new History<RegisterInput, RegisterOutput>()
  const links = new History<RegisterInput, RegisterOutput>()
  const tidOf = (n: number) => history.keyOf(`P${world.epoch}-${n}`)
  const isStored = (reply: Reply) => ({ ok: reply.kind === 'ok' && recordsOf(reply)[0]?.status === 'SUCCESS' })
  const read = async (client: Client, tid: string) => {
    const reply = await history.note(
      tid,
      { op: 'read' },
      () => client.call(`${products}/retrieve`, { body: { tids: [tid] } }),
      found,
    )
    return { name: reply.kind === 'ok' ? (nameIn(reply) ?? '') : '', etag: reply.headers.get('etag') }
  }
  const nameIn = ({ json }: Reply): string | undefined => json?.products?.product?.[0]?.name
  const found = (reply: Reply): RegisterOutput => ({ ok: true, value: reply.kind === 'ok' ? nameIn(reply) : undefined })
  const persistAll = (client: Client, names: ReadonlyMap<string, string>, headers: Record<string, string> = {}) => {
    const product = [...names].map(([tid, name]) => ({ tid, name, node: '/Std' }))
    return client.call(`${products}/persist`, { body: { schemaVersion, products: { product } }, headers })
  }
  const persist = (client: Client, tid: string, name: string, headers?: Record<string, string>) =>
    persistAll(client, new Map([[tid, name]]), headers)

  const steps: ((client: Client, tid: string) => Promise<unknown>)[] = [
    read,
    async (client, tid) => {
      const name = client.fresh()
      await history.note(tid, { op: 'write', value: name }, () => persist(client, tid, name), isStored)
    },
    async (client) => {
      // One transaction waits for several others in turn.
      const names = new Map(numbers.map((n) => [tidOf(n), client.fresh()]))
      const sent = persistAll(client, names)
      const notes = [...names].map(([tid, value], i) =>
        history.note(
          tid,
          { op: 'write', value },
          () => sent,
          (reply) => ({ ok: reply.kind === 'ok' && recordsOf(reply)[i]?.status === 'SUCCESS' }),
        ),
      )
      await Promise.all(notes)
    },
    async (client, tid) => {
      const { name, etag } = await read(client, tid)
      if (name === '' || !etag) return
      // Two that have read the same: at most one may succeed.
      const swap = async (value: string) => {
        const input = { op: 'swap', expected: name, value } as const
        await history.note(tid, input, () => persist(client, tid, value, { 'if-match': etag }), isStored)
      }
      await Promise.all([swap(client.fresh()), swap(client.fresh())])
    },
    async (client, tid) => {
      if (!client.random.chance(0.6)) return
      const action = [{ dataType: 'product', type: 'delete', tid }]
      const send = () => client.call(`${products}/perform`, { body: { schemaVersion, actions: { action } } })
      await history.note(tid, { op: 'remove' }, send, isStored)
    },
    (client) => linkOrUnlink(client),
  ]

  /** The pair is a register: linked or not. */
  async function linkOrUnlink(client: Client): Promise<void> {
    const [from, to] = [client.random.pick(fixed), client.random.pick(fixed)]
    if (from === to) return
    const key = `${from}>${to}`
    const names = [
      { key: 'sourceProductTid', value: from },
      { key: 'targetProductTid', value: to },
    ]
    if (client.random.chance(0.5)) {
      const body = {
        schemaVersion,
        links: { itms: [{ type: 'productToProduct', itms: [{ type: 'Set', itm: names }] }] },
      }
      const send = () => client.call(`${products}/links/persist`, { body })
      await links.note(key, { op: 'write', value: 'linked' }, send, isStored)
    } else {
      const meta = { itm: [...names, { key: 'linkType', value: 'Set' }] }
      const action = [{ dataType: 'productToProductLink', type: 'unlink', meta }]
      const send = () => client.call(`${products}/links/perform`, { body: { schemaVersion, actions: { action } } })
      await links.note(key, { op: 'remove' }, send, isStored)
    }
  }
  const fixed = ['F0', 'F1', 'F2']

  return {
    async prepare() {
      const product = fixed.map((tid) => ({ tid, name: tid, node: '/Std' }))
      await call(world, `${products}/persist`, { body: { schemaVersion, products: { product } } })
    },
    async step(client) {
      await client.random.pick(steps)(client, tidOf(client.random.below(numbers.length)))
    },
    async *check() {
      const rows = await readAll(world, [...history.byKey.keys()])
      for (const [tid, operations] of history.byKey) {
        const last = { input: { op: 'read' } as const, output: { ok: true, value: rows.get(tid) }, ...now() }
        const verdict = checkLinear(register, [...operations, last])
        if (verdict !== 'linearizable') yield `product ${tid}: ${verdict}: ${describe([...operations, last])}`
      }
      const linked = await readLinks(world, fixed)
      for (const [pair, operations] of links.byKey) {
        const value = linked.has(pair) ? 'linked' : undefined
        const last = { input: { op: 'read' } as const, output: { ok: true, value }, ...now() }
        const verdict = checkLinear(register, [...operations, last])
        if (verdict !== 'linearizable') yield `link ${pair}: ${verdict}: ${describe([...operations, last])}`
      }
    },
  }
}

const now = () => ({ from: performance.now(), to: performance.now() + 1 })

const pageSize = 1000

async function readAll(world: World, tids: readonly string[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (let from = 0; from < tids.length; from += pageSize) {
    const reply = await call(world, `${products}/retrieve`, { body: { tids: tids.slice(from, from + pageSize) } })
    if (reply.kind !== 'ok') throw new Error(`the products cannot be read: ${reply.status} ${reply.bytes.toString()}`)
    const list = (reply.json?.products?.product ?? []) as { tid: string; name: string }[]
    for (const { tid, name } of list) names.set(tid, name)
  }
  return names
}

async function readLinks(world: World, tids: readonly string[]): Promise<Set<string>> {
  const reply = await call(world, `${products}/retrieve`, { body: { tids } })
  interface Group {
    itms?: Group[]
    itm?: { key: string; value: string }[]
  }
  const targets = (group: Group): string[] => [
    ...(group.itm ?? []).flatMap(({ key, value }) => (key === 'targetProductTid' ? value : [])),
    ...(group.itms ?? []).flatMap(targets),
  ]
  const list = (reply.json?.products?.product ?? []) as { tid: string; links?: Group }[]
  return new Set(list.flatMap(({ tid, links }) => (links ? targets(links).map((to) => `${tid}>${to}`) : [])))
}
