/** Runs one scenario, or several one after the other in one system: clients work, faults happen, then everything is checked. */
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from '../../server/src/adapters/postgres/sql.ts'
import { follows } from './check/follow.ts'
import { areasOf } from './bugs.ts'
import { createRandom } from './random.ts'
import { type Figures, sampleServer } from './samples.ts'
import { scenarios } from './scenarios.ts'
import { call, core, schemaVersion } from './client.ts'
import type { Postgres } from './postgres.ts'
import { increase, isWhole, openWorld, renewToken, until, type World } from './world.ts'
import { startWorkload } from './workload.ts'

export interface RunOptions {
  readonly seed: number
  readonly bug?: string | undefined
  /** How many processes the server has; by default those that the scenario needs. */
  readonly processes?: number | undefined
  /** The folder of an older version, for scenarios that need one. */
  readonly old?: string | undefined
  /** How many faults; by default those of a full run. */
  readonly faults?: number | undefined
  /** Ends as soon as so many processes were killed. */
  readonly kills?: number | undefined
  /** Half the faults of a short run. */
  readonly isBrief?: boolean
  /** Runs for so long, whatever the number of faults. */
  readonly minutes?: number | undefined
  /** Ends with the first violation. */
  readonly first?: boolean
}
export interface Outcome {
  readonly scenario: string
  readonly processes: number
  readonly seed: number
  readonly violations: readonly string[]
  /** Objects of which the checker could not say whether their history is right. */
  readonly undecided: readonly string[]
  readonly faults: number
  /** How many of what were killed. */
  readonly kills: ReadonlyMap<string, number>
  /** Other figures: each text with a number. */
  readonly counts: ReadonlyMap<string, number>
  readonly steps: number
  readonly seconds: number
  /** Milliseconds. */
  readonly recoveries: readonly number[]
  /** The twelfths of the run; undefined if the server was replaced or the run was short. */
  readonly figures: Figures | undefined
}

const mostViolations = 20
/** Milliseconds; tokens expire after an hour. */
const tokenLife = 20 * 60_000

export const runScenario = (name: string, postgres: Postgres, options: RunOptions) =>
  runScenarios([name], postgres, options)

/** The number of faults, or the minutes, are those of each scenario. */
export async function runScenarios(
  names: readonly string[],
  postgres: Postgres,
  options: RunOptions,
): Promise<Outcome> {
  const begun = performance.now()
  const { seed } = options
  const { processes = Math.max(...names.map((name) => scenarios[name]!.processes ?? 1)) } = options
  const places = names.flatMap((name) => scenarios[name]!.place ?? [])
  const minutes = options.minutes ?? (options.faults === undefined ? scenarios[names[0]!]!.minutes : undefined)
  const isDirect = names.every((name) => scenarios[name]!.isDirect)
  const hasPoints = names.some((name) => scenarios[name]!.hasPoints)
  const hasSmallDisk = names.some((name) => scenarios[name]!.needsMount)
  const world = await openWorld(postgres, { ...options, processes, places, isDirect, hasPoints, hasSmallDisk })
  try {
    const workload = await startWorkload(world, seed, areasOf(options.bug), scenarios[names[0]!]!.thinks)
    const samples = sampleServer(world)
    let faults = 0
    const recoveries: number[] = []
    for (const name of names) {
      const progress = { faults: 0, recoveries }
      await injectAll(world, name, { ...options, minutes }, progress).catch((error: Error) => {
        // With a seeded bug, a run that breaks has found nothing.
        if (options.bug !== undefined) throw error
        world.seen.push(`${name}: ${error.message}`)
      })
      faults += progress.faults
    }
    const figures = samples.stop()
    await workload.stop()
    const [violations, undecided]: [string[], string[]] = [[], []]
    try {
      for await (const violation of checkAll(world, workload.check())) {
        if (violation.includes('too many states')) {
          undecided.push(violation)
          continue
        }
        violations.push(violation)
        if (options.first || violations.length >= mostViolations) break
      }
    } catch (error) {
      if (options.bug !== undefined) throw error
      violations.push(`the check broke: ${(error as Error).stack}`)
    }
    const seconds = (performance.now() - begun) / 1000
    const scenario = names.join(' ')
    const steps = workload.steps()
    const { kills, counts } = world
    return {
      scenario,
      processes,
      seed,
      violations,
      undecided,
      faults,
      kills,
      counts,
      recoveries,
      steps,
      seconds,
      figures,
    }
  } finally {
    await world.close()
  }
}

/** Of how many were killed of each kind. */
export const sumOf = (kills: ReadonlyMap<string, number>) => [...kills.values()].reduce((sum, n) => sum + n, 0)

/** A fault that meets no work proves nothing. On a busy machine the pause alone may be too short. */
async function someAnswers(world: World): Promise<void> {
  const [enough, end] = [world.latencies.length + 15, performance.now() + 8000]
  while (world.latencies.length < enough && performance.now() < end) await pause(20)
}

/** Seconds in which everything works again after a fault; a busy machine has other work. */
const recovers = 90

/** Waits until every process acknowledges a new write: /readyz may answer from its cache. Returns the milliseconds. */
async function recover(world: World, since: number): Promise<number> {
  const worksAt = (at: string, number: number) => async () => {
    const value = `recovered-${world.epoch}-${number}-${performance.now()}`
    const body = { schemaVersion, kwds: { kwd: [{ name: { itm: [{ value }] } }] } }
    const { kind, status } = await call(world, `${core}/common/keywords/persist`, { body, at })
    if (status === 401) await renewTokens(world) // sessions end when the clock jumps
    return kind === 'ok'
  }
  await Promise.all(world.urls.map((at, number) => until(worksAt(at, number), recovers, `${at} takes a write`)))
  return performance.now() - since
}

async function renewTokens(world: World): Promise<void> {
  for (const name of world.tokens.keys()) await renewToken(world, name).catch(() => {})
}

/** So many attempts without a fault end the scenario. */
const mostIdle = 10

interface Progress {
  /** Those that had an effect. */
  faults: number
  readonly recoveries: number[]
}

async function injectAll(world: World, name: string, options: RunOptions, progress: Progress): Promise<void> {
  const { seed, faults, minutes, kills = Infinity, isBrief } = options
  const { fault, between, short, full = 2 * short, end, isQuiet } = scenarios[name]!
  const count = faults ?? (isBrief ? Math.ceil(short / 2) : full)
  const random = createRandom(seed + 1)
  const [least, most] = between
  const until = performance.now() + (minutes ?? 0) * 60_000
  let idle = 0
  let signedInAt = performance.now()
  const isOver = () =>
    (minutes === undefined ? progress.faults >= count : performance.now() > until) ||
    sumOf(world.kills) >= kills ||
    idle >= mostIdle
  for (let n = 0; !isOver(); n++) {
    await pause(least + random.below(most - least))
    await someAnswers(world)
    const since = await fault(world, random, n)
    if (since !== false && !isQuiet) progress.recoveries.push(await recover(world, since ?? performance.now()))
    idle = since === false ? idle + 1 : 0
    if (since !== false) progress.faults++
    world.noteCrashes()
    if (process.env.KONTOR_FAULTS_VERBOSE) console.error(name, n, progress.recoveries.at(-1), [...world.counts])
    world.epoch++
    if (performance.now() - signedInAt < tokenLife) continue
    signedInAt = performance.now()
    await renewTokens(world)
  }
  if (progress.faults === 0) increase(world.counts, `without any effect: ${name}`)
  await pause(least)
  await end?.(world)
}

async function* checkAll(world: World, ofAreas: AsyncIterable<string>): AsyncIterable<string> {
  const { child } = world.server()
  try {
    await until(() => isWhole(world), recovers, 'the server is ready after all faults')
  } catch (error) {
    yield `${(error as Error).message}; exit ${child.exitCode} ${world.server().output().slice(-1500)}`
    return
  }
  // PostgreSQL forgets how much has changed when it is killed, and does not collect statistics.
  await world.db.run(sql`analyze`)
  world.noteCrashes()
  yield* world.seen
  yield* ofAreas
  for (const [name, check] of Object.entries(follows)) {
    if (process.env.KONTOR_FAULTS_VERBOSE) console.error('checks', name)
    yield* check(world)
  }
}
