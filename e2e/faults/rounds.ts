/** A long run in rounds, each with a system of its own: a checker looks at everything that clients did. */
import { type Outcome, runScenario, type RunOptions } from './run.ts'
import type { Postgres } from './world.ts'

/** Faults of one round. */
const mostFaults = 200

/** Ends with the first round that has a violation. A run by the clock is one round. */
export async function runRounds(name: string, postgres: Postgres, options: RunOptions): Promise<Outcome> {
  const { seed, faults, minutes } = options
  if (faults === undefined || minutes !== undefined) return runScenario(name, postgres, options)
  let sum: Outcome | undefined
  for (let left = faults, round = 0; left > 0; left -= mostFaults, round++) {
    const one = await runScenario(name, postgres, {
      ...options,
      seed: seed + round,
      faults: Math.min(left, mostFaults),
    })
    sum = sum ? add(sum, one) : one
    if (one.violations.length + one.undecided.length > 0) break
    if (left > mostFaults)
      console.log(`${name}: ${sum.faults} of ${faults} faults, ${(sum.seconds / 60).toFixed(0)} minutes`)
  }
  return sum!
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
