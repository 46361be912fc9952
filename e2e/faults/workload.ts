/** The clients: each takes one step after the other in a random area. */
import { setTimeout as pause } from 'node:timers/promises'
import { archiveArea } from './areas/archive.ts'
import type { Area, OpenArea } from './areas/area.ts'
import { feedArea } from './areas/feeds.ts'
import { fileArea, checkoutArea } from './areas/files.ts'
import { changeArea, exportArea, importArea, workflowArea } from './areas/jobs.ts'
import { batchArea, bulkArea } from './areas/keywords.ts'
import { mailArea } from './areas/mails.ts'
import { pictureArea } from './areas/pictures.ts'
import { createClass, productArea } from './areas/products.ts'
import { rightsArea } from './areas/rights.ts'
import { ruleArea } from './areas/rules.ts'
import { searchArea } from './areas/searches.ts'
import { sessionArea } from './areas/sessions.ts'
import { folderArea, treeArea } from './areas/trees.ts'
import { tokenArea } from './areas/tokens.ts'
import { call, core, createClient, schemaVersion } from './client.ts'
import { hookTypes } from './check/follow.ts'
import { followAlways } from './follower.ts'
import { createRandom } from './random.ts'
import type { World } from './world.ts'

/** With how often each is chosen. */
const areas: Readonly<Record<string, readonly [OpenArea, number]>> = {
  products: [productArea, 8],
  batches: [batchArea, 4],
  bulk: [bulkArea, 1],
  trees: [treeArea, 3],
  folders: [folderArea, 3],
  files: [fileArea, 4],
  checkout: [checkoutArea, 4],
  pictures: [pictureArea, 1],
  rights: [rightsArea, 4],
  searches: [searchArea, 2],
  sessions: [sessionArea, 1],
  imports: [importArea, 1],
  exports: [exportArea, 1],
  changes: [changeArea, 1],
  rules: [ruleArea, 1],
  feeds: [feedArea, 1],
  archive: [archiveArea, 2],
  workflow: [workflowArea, 2],
  mails: [mailArea, 2],
  tokens: [tokenArea, 6],
}
/** Areas that need a place, or that cannot be with one. */
function areasIn({ places }: World): string[] {
  const without = new Set([
    ...(places.has('mail') ? [] : ['mails']),
    ...(places.has('identity') ? ['rights', 'sessions'] : ['tokens']),
  ])
  return Object.keys(areas).filter((name) => !without.has(name))
}
const clients = 6

export interface Workload {
  /** Steps so far. */
  steps(): number
  stop(): Promise<void>
  check(): AsyncIterable<string>
}

/** Parents of everything that the areas create. */
async function prepareAll(world: World): Promise<void> {
  await call(world, `${core}/pim/classes/persist`, { body: createClass })
  const action = [{ dataType: 'dir', type: 'createPath', path: '/MAM/faults' }]
  await call(world, `${core}/dam/dirs/perform`, { body: { schemaVersion, actions: { action } } })
}

/** `only` names the areas; all by default. `thinks` are the most milliseconds before the next step of a client. */
export async function startWorkload(world: World, seed: number, only = areasIn(world), thinks = 0): Promise<Workload> {
  const opened = only.map((name) => {
    const [open, weight] = areas[name]!
    return { name, area: open(world), weight }
  })
  const hook = await call(world, '/api/v1/webhooks', { body: { url: world.receiver.url, types: hookTypes } })
  if (hook.kind !== 'ok') throw new Error(`no webhook: ${hook.bytes.toString()}`)
  await prepareAll(world)
  for (const { area } of opened) await area.prepare?.()
  const lots = opened.flatMap(({ area, weight }) => Array.from({ length: weight }, (): Area => area))
  const stopping = new AbortController()
  let steps = 0
  const work = async (number: number) => {
    const client = createClient(world, seed * 1000 + number, `c${number}`)
    while (!stopping.signal.aborted) {
      const begun = performance.now()
      const focus = client.random.chance(0.7) ? opened.find(({ name }) => name === world.focus) : undefined
      await (focus?.area ?? client.random.pick(lots)).step(client)
      steps++
      if (thinks > 0) await pause(client.random.below(thinks))
      // While the server is away every step fails at once.
      if (performance.now() - begun < 3) await pause(20)
    }
  }
  const first = createRandom(seed).below(1000)
  const working = Array.from({ length: clients }, (_, i) => work(first + i))
  const running = Promise.all([...working, followAlways(world, stopping.signal)])
  return {
    steps: () => steps,
    async stop() {
      stopping.abort()
      await running
    },
    async *check() {
      for (const { area } of opened) yield* area.check()
    },
  }
}
