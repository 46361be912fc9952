/** An export feed into a folder: each run that was ordered delivers its file, whole and once. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, core, schemaVersion } from '../client.ts'
import { late } from '../world.ts'
import type { OpenArea } from './area.ts'

export const feedArea: OpenArea = (world) => {
  const tids = Array.from({ length: 30 }, (_, i) => `fed-${i}`)
  const path = world.files.feeds
  const ordered: number[] = []
  return {
    async prepare() {
      const product = tids.map((tid) => ({ tid, name: tid, node: '/Std' }))
      await call(world, `${core}/pim/products/persist`, { body: { schemaVersion, products: { product } } })
      const feed = {
        direction: 'export',
        export: { format: 'jsonl', tids },
        place: { kind: 'folder', path },
        fileName: '{run}.jsonl',
      }
      const { kind, bytes } = await call(world, '/api/v1/feeds/faults', { method: 'PUT', body: feed })
      if (kind !== 'ok') throw new Error(`no feed: ${bytes.toString()}`)
    },
    async step(client) {
      if (!client.random.chance(0.15)) return
      // Refused while another run has not ended.
      const { kind, json } = await client.call('/api/v1/feeds/faults/run', { method: 'POST' })
      if (kind === 'ok') ordered.push(Number(json.id))
    },
    async *check() {
      const stateOf = async (id: number) => {
        const { json } = await call(world, `/api/v1/feeds/faults/runs?before=${id + 1}&count=1`)
        return json?.runs?.[0] as { state: string; problem?: string } | undefined
      }
      for (const id of ordered) {
        const hasEnded = async () => ['finished', 'failed', 'held'].includes((await stateOf(id))?.state ?? '')
        yield* late(hasEnded, world, `run ${id} of the feed ends`)
        const run = await stateOf(id)
        if (run?.state !== 'finished') yield `run ${id} of the feed is ${run?.state}: ${run?.problem}`
        const file = join(path, `${id}.jsonl`)
        const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').length : 0
        if (lines !== tids.length) yield `run ${id} of the feed delivered ${lines} of ${tids.length} products`
      }
    },
  }
}
