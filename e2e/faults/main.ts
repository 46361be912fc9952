/**
 * `npm run test:faults -- [scenario …] [--seed N] [--faults N | --kills N | --minutes M] [--bugs [name …]] [--write]`
 *
 * A run of many minutes also prints memory, file descriptors and latency of the server in its first and last twelfth:
 * `npm run test:faults -- calm --minutes 120` is the soak.
 * Without scenarios all run that need no replica; `failover` runs alone. With --bugs every bug of bugs.ts, or the named ones, runs in its scenario, with up to
 * --attempts seeds, and must be found. --write puts the results into docs/reliability.md. The seed is printed; with it a run
 * can be repeated.
 */
import { parseArgs } from 'node:util'
import { bugs } from './bugs.ts'
import { openPair } from './failover.ts'
import { writeBug, writeOutcome } from './report.ts'
import { type Outcome, runScenario } from './run.ts'
import { ordinary, scenarios } from './scenarios.ts'
import { openPostgres, type Postgres } from './world.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    faults: { type: 'string' },
    kills: { type: 'string' },
    minutes: { type: 'string' },
    bugs: { type: 'boolean' },
    write: { type: 'boolean' },
    bug: { type: 'string' },
    attempts: { type: 'string', default: '5' },
  },
})
const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text))
const seed = numberOf(values.seed) ?? Math.floor(Math.random() * 1_000_000)
const faults = numberOf(values.faults ?? values.kills)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
const names = positionals.length > 0 || values.bugs ? positionals : ordinary
const needsReplica = !values.bugs && names.some((name) => scenarios[name]?.needsReplica)
const postgres = needsReplica ? await openPair() : await openPostgres()
if (!postgres) {
  console.log('SKIPPED: no PostgreSQL with initdb and pg_basebackup is installed')
  process.exit(0)
}
let failed = false
try {
  if (values.bugs) await findBugs(postgres, positionals.length > 0 ? positionals : Object.keys(bugs))
  else await runAll(postgres, names)
} finally {
  await postgres.close()
}
process.exit(failed ? 1 : 0)

async function runAll(postgres: Postgres, names: readonly string[]): Promise<void> {
  for (const name of names) {
    if (!scenarios[name]) throw new Error(`unknown scenario ${name}: expected ${Object.keys(scenarios).join(', ')}`)
    const outcome = await runScenario(name, postgres, {
      seed,
      faults,
      minutes: numberOf(values.minutes),
      bug: values.bug,
    })
    print(outcome)
    if (values.write) writeOutcome(outcome)
    if (outcome.violations.length + outcome.undecided.length > 0) failed = true
  }
}

function print({ scenario, violations, undecided, faults: count, steps, seconds, recoveries, figures }: Outcome): void {
  const worst = recoveries.length > 0 ? `, recovered within ${Math.round(Math.max(...recoveries))} ms` : ''
  const verdict = violations.length === 0 ? 'ok' : `${violations.length} VIOLATIONS`
  console.log(
    `${scenario} (seed ${seed}): ${count} faults, ${steps} steps${worst}, ${seconds.toFixed(1)} s: ${verdict}`,
  )
  for (const [name, part] of Object.entries(figures ?? {})) {
    const { megabytes, descriptors, p50, p99, requests } = part
    const latency = `${p50.toFixed(1)} ms median, ${p99.toFixed(1)} ms p99 of ${requests} requests`
    console.log(`  ${name} twelfth: ${megabytes.toFixed(0)} MB, ${descriptors} file descriptors, ${latency}`)
  }
  for (const violation of [...violations, ...undecided]) console.log(`  ${violation}`)
}

/** Runs each bug with one seed after the other until it is found. */
async function findBugs(postgres: Postgres, names: readonly string[]): Promise<void> {
  console.log('| bug | scenario | found after | as |\n| --- | --- | --- | --- |')
  for (const name of names) {
    const { scenario, doc } = bugs[name]!
    const begun = performance.now()
    let violation: string | undefined
    for (let n = 0; n < Number(values.attempts) && violation === undefined; n++) {
      try {
        const options = { seed: seed + n, bug: name, faults, isBrief: n === 0, first: true }
        const outcome = await runScenario(scenario, postgres, options)
        violation = outcome.violations[0]
      } catch (error) {
        // A run that cannot be carried out finds nothing.
        console.error(`${name} (seed ${seed + n}): ${(error as Error).message.slice(0, 300)}`)
      }
    }
    if (violation === undefined) failed = true
    if (values.write) writeBug(name, performance.now() - begun, violation)
    const seconds = `${((performance.now() - begun) / 1000).toFixed(0)} s`
    console.log(`| ${name}: ${doc} | ${scenario} | ${violation ? seconds : '**not found**'} | ${violation ?? ''} |`)
  }
}
