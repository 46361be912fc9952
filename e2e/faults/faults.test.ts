/**
 * Short runs of the fault harness: clients work in every area while faults happen, and afterwards nothing
 * acknowledged is lost and nothing is there twice. One system meets all faults, because most of the time of a run is its
 * start and its check. `npm run test:faults` runs longer, and each scenario alone.
 */
import { afterAll, expect, test } from 'vitest'
import { type Outcome, runScenario, runScenarios } from './run.ts'
import { ordinary } from './scenarios.ts'
import { openPostgres } from './world.ts'

const postgres = await openPostgres()
afterAll(postgres.close)
const seed = Number(process.env.KONTOR_FAULTS_SEED ?? Math.floor(Math.random() * 1_000_000))

const options = { seed, isBrief: true }
const verdictOf = ({ violations, undecided }: Outcome) => [...violations, ...undecided]

test(`races between clients break no promise (seed ${seed})`, { timeout: 900_000 }, async () => {
  const outcome = await runScenarios(['calm'], postgres, options)
  expect(verdictOf(outcome)).toEqual([])
  expect(outcome.steps).toBeGreaterThan(0)
})

test(`every fault, one after the other, breaks no promise (seed ${seed})`, { timeout: 900_000 }, async () => {
  const names = ordinary.filter((name) => name !== 'calm')
  const outcome = await runScenarios(names, postgres, options)
  expect(verdictOf(outcome)).toEqual([])
  expect(outcome.faults).toBeGreaterThanOrEqual(names.length)
})

test('a seeded bug is found: the harness is not blind', { timeout: 900_000 }, async () => {
  const { violations } = await runScenario('calm', postgres, { seed, bug: 'idempotent-reply-not-stored', first: true })
  expect(violations).toHaveLength(1)
})
