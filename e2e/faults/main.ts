/**
 * `npm run test:faults -- [scenario …] [--seed N] [--processes N] [--faults N | --kills N | --minutes M]
 *   [--old REVISION] [--bugs [name …]] [--write]`
 *
 * A run of many minutes also prints memory, file descriptors and latency of the server for each twelfth of it. Without
 * scenarios all run that need nothing else. `soak` takes two hours; `failover` needs an installed PostgreSQL,
 * `postgres-full` and `data-full` the right to mount a file system, `versions` the history of the sources, `cut-search` OpenSearch
 * (KONTOR_TEST_OPENSEARCH). With --bugs every bug of bugs.ts, or the named ones, runs in its scenario, with up to --attempts
 * seeds, and must be found within a time.
 * --write puts the results into docs/reliability.md. The seed is printed; with it a run can be repeated.
 */
import { parseArgs } from 'node:util'
import { bugs } from './bugs.ts'
import { type DatabaseName, databases, reasons } from './databases.ts'
import { isInstalled, settingOf } from './places.ts'
import { writeBug, writeOutcome } from './report.ts'
import { runRounds } from './rounds.ts'
import { type Outcome, runScenario, sumOf } from './run.ts'
import { ordinary, scenarios } from './scenarios.ts'
import { canMount } from './small-disk.ts'
import { checkOutOld } from './versions.ts'
import type { Postgres } from './postgres.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    processes: { type: 'string' },
    faults: { type: 'string' },
    kills: { type: 'string' },
    minutes: { type: 'string' },
    bugs: { type: 'boolean' },
    write: { type: 'boolean' },
    bug: { type: 'string' },
    old: { type: 'string' },
    attempts: { type: 'string', default: '5' },
    help: { type: 'boolean' },
  },
})
if (values.help) {
  console.log(`npm run test:faults -- [scenario …] [--seed N] [--processes N] [--faults N | --kills N | --minutes M]
  [--old REVISION] [--bugs [name …]] [--write]

Scenarios; * those that run if none is named:
`)
  for (const [name, { doc }] of Object.entries(scenarios))
    console.log(`${ordinary.includes(name) ? '*' : ' '} ${name.padEnd(14)} ${doc}`)
  process.exit(0)
}
const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text))
const seed = numberOf(values.seed) ?? Math.floor(Math.random() * 1_000_000)
const faults = numberOf(values.faults)
/** Seconds within which each bug must be found, on a machine with two cores and other work. */
const budget = 300

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
const names = positionals.length > 0 || values.bugs ? positionals : ordinary
const needsOld = !values.bugs && names.some((name) => scenarios[name]?.needsOld)
const old = needsOld ? checkOutOld(values.old) : undefined
if (needsOld && !old) console.log('SKIPPED: versions, because there is no Git or no history of the sources')
if (old) console.log(`the older version is ${old.revision}`)
console.log(`seed ${seed}`)
let failed = false
try {
  if (values.bugs) {
    const wanted = positionals.length > 0 ? positionals : Object.keys(bugs)
    console.log('| bug | scenario | found after | as |\n| --- | --- | --- | --- |')
    for (const [database, some] of Map.groupBy(wanted, (name) => scenarios[bugs[name]!.scenario]!.database ?? 'plain'))
      await using(database, (postgres) => findBugs(postgres, some))
  } else {
    for (const [database, some] of Map.groupBy(names, (name) => scenarios[name]?.database ?? 'plain'))
      await using(database, (postgres) => runAll(postgres, some))
  }
} finally {
  old?.remove()
}
process.exit(failed ? 1 : 0)

async function using(database: DatabaseName, run: (postgres: Postgres) => Promise<void>): Promise<void> {
  const postgres = await databases[database]()
  if (!postgres) return console.log(`SKIPPED: ${reasons[database]}`)
  try {
    await run(postgres)
  } finally {
    await postgres.close()
  }
}

async function runAll(postgres: Postgres, names: readonly string[]): Promise<void> {
  for (const name of names) {
    if (!scenarios[name]) throw new Error(`unknown scenario ${name}: expected ${Object.keys(scenarios).join(', ')}`)
    if (scenarios[name].needsOld && !old) continue
    if (scenarios[name].needsMount && !canMount()) {
      console.log(`SKIPPED: ${name}, because ${reasons.small}`)
      continue
    }
    const { place } = scenarios[name]
    if (place && !isInstalled(place)) {
      console.log(`SKIPPED: ${name}, because ${settingOf[place]} names no server`)
      continue
    }
    const outcome = await runRounds(name, postgres, {
      seed,
      processes: numberOf(values.processes),
      faults,
      kills: numberOf(values.kills),
      minutes: numberOf(values.minutes),
      bug: values.bug,
      old: scenarios[name].needsOld ? old?.folder : undefined,
    })
    print(outcome)
    if (values.write) writeOutcome(outcome)
    if (outcome.violations.length + outcome.undecided.length > 0) failed = true
  }
}

function print(outcome: Outcome): void {
  const { kills, scenario, processes, violations, undecided, faults: count, steps, seconds } = outcome
  const { recoveries, figures, counts } = outcome
  const sorted = recoveries.toSorted((a, b) => a - b)
  const recovery =
    sorted.length === 0
      ? ''
      : `, recovered after ${sorted[sorted.length >> 1]!.toFixed(0)} ms (median), at most ${sorted.at(-1)!.toFixed(0)} ms`
  const verdict = violations.length === 0 ? 'ok' : `${violations.length} VIOLATIONS`
  console.log(
    `${scenario} (seed ${seed}, ${processes} processes): ${count} faults, ${steps} steps${recovery}, ${seconds.toFixed(1)} s: ${verdict}`,
  )
  const killed = sumOf(kills)
  if (killed > 0) {
    const list = [...kills].map(([what, n]) => `${n} × ${what}`).join(', ')
    console.log(`  killed: ${killed} (${list}), ${(seconds / killed).toFixed(2)} s for each`)
  }
  for (const [what, n] of [...counts].toSorted(([a], [b]) => a.localeCompare(b))) console.log(`  ${what}: ${n}`)
  for (const [i, { megabytes, descriptors, p50, p99, requests, stolen, slowest }] of (figures ?? []).entries()) {
    const latency = `${p50.toFixed(1)} ms median, ${p99.toFixed(1)} ms p99 of ${requests} requests`
    console.log(
      `  twelfth ${i + 1}: ${megabytes.toFixed(0)} MB, ${descriptors} file descriptors, ${latency}; ${(stolen * 100).toFixed(0)} % of the processors taken by other machines; p99 of ${slowest}`,
    )
  }
  for (const violation of [...violations, ...undecided]) console.log(`  ${violation}`)
}

/** Runs each bug with one seed after the other until it is found. */
async function findBugs(postgres: Postgres, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const { scenario, doc } = bugs[name]!
    const begun = performance.now()
    let violation: string | undefined
    const isLate = () => performance.now() - begun > budget * 1000
    for (let n = 0; n < Number(values.attempts) && violation === undefined && !isLate(); n++) {
      try {
        const options = { seed: seed + n, bug: name, faults, isBrief: n === 0, first: true }
        const outcome = await runScenario(scenario, postgres, options)
        violation = outcome.violations[0]
      } catch (error) {
        // A run that cannot be carried out finds nothing.
        console.error(`${name} (seed ${seed + n}): ${(error as Error).message.slice(0, 300)}`)
      }
    }
    if (violation === undefined || isLate()) failed = true
    if (values.write) writeBug(name, performance.now() - begun, violation)
    const seconds = `${((performance.now() - begun) / 1000).toFixed(0)} s${isLate() ? ', **too late**' : ''}`
    console.log(`| ${name}: ${doc} | ${scenario} | ${violation ? seconds : '**not found**'} | ${violation ?? ''} |`)
  }
}
