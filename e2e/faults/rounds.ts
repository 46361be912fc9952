/** A long run in rounds, each with a system of its own: a checker looks at everything that clients did. */
import { type Outcome, runScenario, type RunOptions, sumOf } from './run.ts'
import type { Postgres } from './postgres.ts'
import { increase } from './world.ts'

/** Faults of one round. Rounds of kills are longer, because the check and the start of a system take long. */
const mostFaults = (name: string) => (name === 'kills' ? 350 : 200)

/** A round that breaks, in its system or its check, is a violation: the figures of the others stay. */
async function runRound(name: string, postgres: Postgres, options: RunOptions, sum?: Outcome): Promise<Outcome> {
  try {
    return await runScenario(name, postgres, options)
  } catch (error) {
    if (!sum) throw error
    const nothing = { faults: 0, steps: 0, seconds: 0, recoveries: [], kills: new Map(), counts: new Map() }
    const violations = [`the round broke: ${(error as Error).message}`]
    return { ...sum, ...nothing, seed: options.seed, violations, undecided: [] }
  }
}

/** Ends with the first round that has a violation. A run by the clock is one round. */
export async function runRounds(name: string, postgres: Postgres, options: RunOptions): Promise<Outcome> {
  const { seed, kills, minutes } = options
  const faults = options.faults ?? (kills === undefined ? undefined : Infinity)
  if (faults === undefined || minutes !== undefined) return runScenario(name, postgres, options)
  for (let sum: Outcome | undefined, round = 0; ; round++) {
    const part = {
      ...options,
      seed: seed + round,
      faults: Math.min(faults - (sum?.faults ?? 0), mostFaults(name)),
      kills: kills === undefined ? undefined : kills - (sum ? sumOf(sum.kills) : 0),
    }
    const one = await runRound(name, postgres, part, sum)
    sum = sum ? add(sum, one) : one
    const killed = sumOf(sum.kills)
    const isUseless = one.faults === 0 // no fault has had any effect
    if (
      one.violations.length + one.undecided.length > 0 ||
      isUseless ||
      sum.faults >= faults ||
      killed >= (kills ?? Infinity)
    )
      return sum
    console.log(`${name}: ${sum.faults} faults, ${killed} kills, ${(sum.seconds / 60).toFixed(0)} minutes`)
  }
}

function add(sum: Outcome, one: Outcome): Outcome {
  const [kills, counts] = [new Map(sum.kills), new Map(sum.counts)]
  for (const [what, n] of one.kills) increase(kills, what, n)
  for (const [what, n] of one.counts) increase(counts, what, n)
  return {
    ...one,
    seed: sum.seed,
    violations: one.violations.map((text) => `seed ${one.seed}: ${text}`),
    kills,
    counts,
    faults: sum.faults + one.faults,
    steps: sum.steps + one.steps,
    seconds: sum.seconds + one.seconds,
    recoveries: [...sum.recoveries, ...one.recoveries],
  }
}
