/**
 * Searches during faults: each is answered with a whole page or 503, and shows nothing that was deleted long before. A product
 * that is deleted meanwhile may still be counted.
 */
import { call, type Client, core, schemaVersion, tidsIn } from '../client.ts'
import type { OpenArea } from './area.ts'

const products = `${core}/pim/products`
/** Milliseconds after which an acknowledged deletion is seen by every search, whatever is broken. */
const settles = 60_000

interface Found {
  readonly tid: string
  /** Whether its deletion was sent. */
  isLeaving: boolean
  /** When its deletion was acknowledged. */
  deletedAt: number | undefined
}

export const searchArea: OpenArea = (world) => {
  const faults: string[] = []
  /** Products whose creation was acknowledged. */
  const known: Found[] = []
  const sent = new Set<string>()

  async function create(client: Client): Promise<void> {
    const tid = client.fresh()
    sent.add(tid)
    const product = [{ tid, name: tid, node: '/Std' }]
    const reply = await client.call(`${products}/persist`, { body: { schemaVersion, products: { product } } })
    if (reply.kind === 'ok') known.push({ tid, isLeaving: false, deletedAt: undefined })
  }
  async function remove(client: Client): Promise<void> {
    const one = pick(client)
    if (!one || one.deletedAt !== undefined) return
    const action = [{ dataType: 'product', type: 'delete', tid: one.tid }]
    one.isLeaving = true
    const { kind } = await client.call(`${products}/perform`, { body: { schemaVersion, actions: { action } } })
    if (kind === 'ok') one.deletedAt = performance.now()
  }
  const pick = (client: Client) => (known.length > 0 ? client.random.pick(known.slice(-50)) : undefined)

  async function find(client: Client): Promise<void> {
    const one = pick(client)
    if (!one) return
    const { tid, deletedAt = Infinity } = one
    const from = performance.now()
    const query = { queryType: 'FIELD', name: 'tid', comparator: 'EQ', value: tid }
    const body = { context: { index: 'PRODUCT' }, resultAttributes: ['tid', 'name'], query }
    const { kind, status, json, bytes } = await call(world, '/api/v1/search', { body })
    if (kind === 'refused' || (kind === 'unknown' && status !== 0 && status !== 503))
      faults.push(`a search is answered with ${status}: ${bytes.toString()}`)
    if (kind !== 'ok') return
    const tids = tidsIn(json)
    const stranger = tids.find((other) => !sent.has(other))
    if (stranger !== undefined) faults.push(`a search for ${tid} finds ${stranger}`)
    const count = json?.totalHitCount as number | undefined
    if (count !== tids.length && !(one.isLeaving && count === 1))
      faults.push(`a search is not whole: ${bytes.toString()}`)
    if (tids.includes(tid) && from - deletedAt > settles)
      faults.push(`a search finds ${tid} ${Math.round(from - deletedAt)} ms after it was deleted`)
  }

  return {
    async step(client) {
      const share = client.random.below(10)
      if (share < 3) await create(client)
      else if (share < 4) await remove(client)
      else await find(client)
    },
    *check() {
      yield* faults
    },
  }
}
