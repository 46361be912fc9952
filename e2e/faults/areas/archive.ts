/** Files that go to the archive and come back: each keeps its bytes, wherever it is. */
import { createHash } from 'node:crypto'
import { form, paramsPart, payloadPart } from '../../../server/test/files.ts'
import { call, core, recordsOf, schemaVersion } from '../client.ts'
import { until } from '../world.ts'
import type { OpenArea } from './area.ts'

const dam = `${core}/dam`
/** By it other areas know files that may not be in the main store. */
export const archived = '.archived'
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export const archiveArea: OpenArea = (world) => {
  /** The digests of acknowledged files. */
  const stored = new Map<string, string>()
  const perform = (type: string, tid: string) =>
    call(world, `${dam}/assets/perform`, {
      body: { schemaVersion, actions: { action: [{ type, dataType: 'asset', tid }] } },
    })
  const read = (tid: string) => call(world, `${dam}/assets/bin?assetTid=${tid}`)
  return {
    async step(client) {
      if (!client.random.chance(0.4)) return
      if (stored.size > 0 && client.random.chance(0.5)) {
        const tid = client.random.pick([...stored.keys()].slice(-20))
        const type = client.random.pick(['archive', 'unarchive', 'read'])
        if (type !== 'read') return void (await perform(type, tid))
        const { status, bytes } = await read(tid)
        if (status === 200 && sha256(bytes) !== stored.get(tid)) world.seen.push(`${tid} is sent with other bytes`)
        if (status === 404) world.seen.push(`the acknowledged file ${tid} is not found`)
        return
      }
      const tid = client.fresh()
      const bytes = client.random.bytes(1 + client.random.below(60_000))
      const { body, type } = form(paramsPart({ path: `/MAM/faults/${tid}${archived}`, tid }), payloadPart(bytes))
      const reply = await client.call(`${dam}/assets/bin/persist`, { body, type })
      if (reply.kind !== 'ok' || recordsOf(reply)[0]?.status === 'ERROR') return
      stored.set(tid, sha256(bytes))
      await perform('archive', tid)
    },
    async *check() {
      // It may be on its way to the archive.
      const isBack = (tid: string, digest: string) => async () => {
        await perform('unarchive', tid)
        const { status, bytes } = await read(tid)
        return status === 200 && sha256(bytes) === digest
      }
      for (const [tid, digest] of stored) {
        try {
          await until(isBack(tid, digest), world.timeout, `${tid} is back from the archive`)
        } catch (error) {
          const { status, bytes } = await read(tid)
          yield `${(error as Error).message}: ${status} ${status === 200 ? sha256(bytes) : bytes.toString()}`
        }
      }
    },
  }
}
