/**
 * Loaded into the server by `--import`, before anything else: rewrites source files while they are loaded, and wraps the
 * functions of node:fs. So the product itself contains no fail points and no bugs.
 *
 *   bugs     a text of a source file is replaced by a wrong one (bugs.ts)
 *   point    the process kills itself when it reaches a line for the n-th time (points.ts)
 *   disk     writes below a folder fail while a control file exists; what is not synced yet is noted in a journal
 *   clock    Date is shifted by the milliseconds in a file
 */
import { readFileSync, renameSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** The plan for one process, in the environment variable FAULTS. */
export interface Plan {
  readonly bug?: string
  /** All points are there. The file names the one at which the process kills itself, and how often it is passed before. */
  readonly point?: string
  readonly disk?: {
    readonly folder: string
    readonly control: string
    readonly journal: string
    readonly seed?: number
  }
  readonly clock?: string
}
const plan = JSON.parse(process.env.FAULTS ?? '{}') as Plan

/** The text `find` occurs exactly once in the file; inject.test.ts proves it for the present sources. */
export interface Patch {
  readonly file: string
  readonly find: string
  readonly replace: string
  readonly isPoint?: boolean
}

/** Loads only the modules that the plan needs, because servers start very often. */
async function patchesOf({ bug, point }: Plan): Promise<Patch[]> {
  const patches = bug === undefined ? [] : [...(await import('./bugs.ts')).bugs[bug]!.patches]
  if (point === undefined) return patches
  const { points } = await import('./points.ts')
  const ofPoints = Object.entries(points).map(([name, { file, find, after = false }]) => {
    const call = `;globalThis.failPoint(${JSON.stringify(name)});`
    return { file, find, replace: after ? `${find}${call}` : `${call}${find}`, isPoint: true }
  })
  return [...patches, ...ofPoints]
}

const byFile = Map.groupBy(await patchesOf(plan), ({ file }) => new URL(`../../${file}`, import.meta.url).href)

if (byFile.size > 0) {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const patches = byFile.get(url)
      if (!patches) return loaded
      let source = String(loaded.source ?? readFileSync(new URL(url), 'utf8'))
      for (const { file, find, replace, isPoint } of patches) {
        const isThereOnce = source.split(find).length === 2
        // A bug that replaces the line of a point calls the point itself.
        if (isPoint && plan.bug !== undefined && !isThereOnce) continue
        if (!isThereOnce) throw new Error(`${file}: not exactly once: ${find}`)
        source = source.replace(find, () => replace)
      }
      return { ...loaded, source }
    },
  })
}

/** How often the point was passed since the file named it so. */
let passed = { order: '', times: 0 }
Object.assign(globalThis, {
  failPoint(name: string) {
    if (plan.point === undefined) return
    const order = orderIn(plan.point)
    const [wanted, at] = order.split('|')
    if (wanted !== name) return
    if (order !== passed.order) passed = { order, times: 0 }
    if (++passed.times < Number(at)) return
    // Of several processes one is killed.
    if (!isOurs(plan.point)) return
    process.kill(process.pid, 'SIGKILL')
    for (;;); // nothing may happen until the signal arrives
  },
})

function orderIn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
function isOurs(file: string): boolean {
  try {
    renameSync(file, `${file}.reached`)
    return true
  } catch {
    return false
  }
}

if (plan.disk) (await import('./disk.ts')).wrapDisk(plan.disk)
if (plan.clock !== undefined) shiftClock(plan.clock)

function shiftClock(file: string): void {
  const RealDate = Date
  let shift = 0
  const read = () => {
    try {
      shift = Number(readFileSync(file, 'utf8'))
    } catch {
      shift = 0
    }
  }
  setInterval(read, 100).unref()
  read()
  const now = () => RealDate.now() + shift
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args: []) => (args.length === 0 ? new target(now()) : new target(...args)),
    apply: () => new RealDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
  })
}
