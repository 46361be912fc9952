/**
 * Short runs of the fault harness: clients work in every area while faults happen, and afterwards nothing
 * acknowledged is lost and nothing is there twice. One system meets all faults, because most of the time of a run is its
 * start and its check. `npm run test:faults` runs longer, and each scenario alone.
 */
import { afterAll, expect, test } from 'vitest'
import { type Outcome, runScenario, runScenarios } from './run.ts'
import { ordinary, scenarios } from './scenarios.ts'
import { openPair } from './failover.ts'
import { isInstalled } from './places.ts'
import { canMount, openOnSmallDisk } from './small-disk.ts'
import { checkOutOld } from './versions.ts'
import { openPostgres } from './postgres.ts'

const postgres = await openPostgres()
afterAll(postgres.close)
const seed = Number(process.env.KONTOR_FAULTS_SEED ?? Math.floor(Math.random() * 1_000_000))

const options = { seed, isBrief: true }
const verdictOf = ({ violations, undecided }: Outcome) => [...violations, ...undecided]

test(`races between clients break no promise (seed ${seed})`, { timeout: 1_200_000 }, async () => {
  const outcome = await runScenarios(['calm'], postgres, options)
  expect(verdictOf(outcome)).toEqual([])
  expect(outcome.steps).toBeGreaterThan(0)
})

test(`every fault, one after the other, breaks no promise (seed ${seed})`, { timeout: 1_200_000 }, async () => {
  const names = ordinary.filter((name) => name !== 'calm' && !scenarios[name]!.place)
  const outcome = await runScenarios(names, postgres, options)
  expect(verdictOf(outcome)).toEqual([])
  expect(outcome.faults).toBeGreaterThanOrEqual(names.length)
})

test(`kills and stalls of one of three processes break no promise (seed ${seed})`, { timeout: 1_200_000 }, async () => {
  const outcome = await runScenarios(['kill-server', 'stall'], postgres, { ...options, processes: 3 })
  expect(verdictOf(outcome)).toEqual([])
  expect(outcome.faults).toBeGreaterThanOrEqual(2)
})

test(
  `a file store, a mail server and an identity provider that come and go break no promise (seed ${seed})`,
  { timeout: 1_200_000 },
  async () => {
    const outcome = await runScenarios(['cut-files', 'kill-files', 'cut-mail', 'cut-identity'], postgres, options)
    expect(verdictOf(outcome)).toEqual([])
    expect(outcome.faults).toBeGreaterThanOrEqual(7)
  },
)

const small = await openOnSmallDisk()
afterAll(() => small?.close())
if (!small) console.warn('SKIPPED: full disks, because a file system cannot be mounted here')

test.runIf(small)(`a full disk of PostgreSQL breaks no promise (seed ${seed})`, { timeout: 1_200_000 }, async () => {
  const outcome = await runScenario('postgres-full', small!, options)
  expect(verdictOf(outcome)).toEqual([])
  expect(outcome.recoveries.length).toBe(outcome.faults)
})

test.runIf(canMount())(
  `a full disk of the data folder breaks no promise (seed ${seed})`,
  { timeout: 1_200_000 },
  async () => {
    const outcome = await runScenario('data-full', postgres, options)
    expect(verdictOf(outcome)).toEqual([])
    expect(outcome.recoveries.length).toBe(outcome.faults)
  },
)

const pair = await openPair()
afterAll(() => pair?.close())
if (!pair) console.warn('SKIPPED: the failover of PostgreSQL, because it is not installed')

test.runIf(pair)(`a failover of PostgreSQL breaks no promise (seed ${seed})`, { timeout: 1_200_000 }, async () => {
  const outcome = await runScenario('failover', pair!, options)
  expect(verdictOf(outcome)).toEqual([])
  expect(outcome.faults).toBe(1)
})

test.runIf(isInstalled('search'))(
  `an OpenSearch that comes and goes breaks no promise (seed ${seed})`,
  { timeout: 1_200_000 },
  async () => {
    const outcome = await runScenario('cut-search', postgres, options)
    expect(verdictOf(outcome)).toEqual([])
    expect(outcome.faults).toBe(2)
  },
)

test(`a short soak breaks no promise (seed ${seed})`, { timeout: 1_200_000 }, async () => {
  const outcome = await runScenario('soak', postgres, { ...options, minutes: 0.2 })
  expect(verdictOf(outcome)).toEqual([])
})

const old = checkOutOld()
afterAll(() => old?.remove())
if (!old) console.warn('SKIPPED: two versions side by side, because there is no Git or no history of the sources')

test.runIf(old)(`two versions side by side break no promise (seed ${seed})`, { timeout: 1_200_000 }, async () => {
  const outcome = await runScenarios(['versions'], postgres, { ...options, old: old!.folder })
  expect(verdictOf(outcome)).toEqual([])
  expect(outcome.faults).toBeGreaterThanOrEqual(2)
})

test('a seeded bug is found: the harness is not blind', { timeout: 1_200_000 }, async () => {
  const { violations } = await runScenario('calm', postgres, { seed, bug: 'idempotent-reply-not-stored', first: true })
  expect(violations).toHaveLength(1)
})
