/** A long run in rounds, each with a system of its own: a checker looks at everything that clients did. */
import { type Outcome, runScenario, type RunOptions, sumOf } from './run.ts'
import type { Postgres } from './world.ts'

/** Faults of one round. */
const mostFaults = 200

/** Ends with the first round that has a violation. A run by the clock is one round. */
export async function runRounds(name: string, postgres: Postgres, options: RunOptions): Promise<Outcome> {
  const { seed, kills, minutes } = options
  const faults = options.faults ?? (kills === undefined ? undefined : Infinity)
  if (faults === undefined || minutes !== undefined) return runScenario(name, postgres, options)
  for (let sum: Outcome | undefined, round = 0; ; round++) {
    const one = await runScenario(name, postgres, {
      ...options,
      seed: seed + round,
      faults: Math.min(faults - (sum?.faults ?? 0), mostFaults),
      kills: kills === undefined ? undefined : kills - (sum ? sumOf(sum.kills) : 0),
    })
    sum = sum ? add(sum, one) : one
    const killed = sumOf(sum.kills)
    if (one.violations.length + one.undecided.length > 0 || sum.faults >= faults || killed >= (kills ?? Infinity))
      return sum
    console.log(`${name}: ${sum.faults} faults, ${killed} kills, ${(sum.seconds / 60).toFixed(0)} minutes`)
  }
}

function add(sum: Outcome, one: Outcome): Outcome {
  const kills = new Map(sum.kills)
  for (const [what, count] of one.kills) kills.set(what, (kills.get(what) ?? 0) + count)
  return {
    ...one,
    seed: sum.seed,
    violations: one.violations.map((text) => `seed ${one.seed}: ${text}`),
    kills,
    faults: sum.faults + one.faults,
    steps: sum.steps + one.steps,
    seconds: sum.seconds + one.seconds,
    recoveries: [...sum.recoveries, ...one.recoveries],
  }
}
