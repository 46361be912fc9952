/**
 * Loaded into the server by `--import`, before anything else: rewrites source files while they are loaded, and wraps the
 * functions of node:fs. So the product itself contains no fail points and no bugs.
 *
 *   bugs     a text of a source file is replaced by a wrong one (bugs.ts)
 *   points   the process kills itself, or throws, when it reaches a line for the n-th time (points.ts)
 *   disk     writes below a folder fail while a control file exists; what is not synced yet is noted in a journal
 *   clock    Date is shifted by the milliseconds in a file
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { bugs } from './bugs.ts'
import { wrapDisk } from './disk.ts'
import { points } from './points.ts'

/** The plan for one process, in the environment variable FAULTS. */
export interface Plan {
  readonly bug?: string
  readonly points?: Readonly<Record<string, { readonly act: 'kill' | 'throw'; readonly at: number }>>
  readonly disk?: { readonly folder: string; readonly control: string; readonly journal: string }
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

function patchesOf({ bug, points: wanted = {} }: Plan): Patch[] {
  const ofPoints = Object.keys(wanted).map((name) => {
    const { file, find, after = false } = points[name]!
    const call = `;globalThis.failPoint(${JSON.stringify(name)});`
    return { file, find, replace: after ? `${find}${call}` : `${call}${find}`, isPoint: true }
  })
  return [...(bug === undefined ? [] : bugs[bug]!.patches), ...ofPoints]
}

const byFile = Map.groupBy(patchesOf(plan), ({ file }) => new URL(`../../${file}`, import.meta.url).href)

if (byFile.size > 0) {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const patches = byFile.get(url)
      if (!patches) return loaded
      let source = String(loaded.source ?? readFileSync(new URL(url), 'utf8'))
      for (const { file, find, replace, isPoint } of patches) {
        // A bug that replaces the line of a point calls the point itself.
        if (isPoint && plan.bug !== undefined && !source.includes(find)) continue
        if (source.split(find).length !== 2) throw new Error(`${file}: not exactly once: ${find}`)
        source = source.replace(find, () => replace)
      }
      return { ...loaded, source }
    },
  })
}

const hits = new Map<string, number>()
Object.assign(globalThis, {
  failPoint(name: string) {
    const point = plan.points?.[name]
    if (!point) return
    const { act, at } = point
    const hit = (hits.get(name) ?? 0) + 1
    hits.set(name, hit)
    if (hit !== at) return
    if (act === 'throw') throw new Error(`the fail point ${name}`)
    process.kill(process.pid, 'SIGKILL')
    for (;;); // nothing may happen until the signal arrives
  },
})

if (plan.disk) wrapDisk(plan.disk)
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
