/**
 * Short runs of the fault harness: clients work in every area while faults happen, and afterwards nothing
 * acknowledged is lost and nothing is there twice. `npm run test:faults` runs longer and other ones.
 */
import { afterAll, expect, test } from 'vitest'
import { runScenario } from './run.ts'
import { scenarios } from './scenarios.ts'
import { openPostgres } from './world.ts'

const postgres = await openPostgres()
afterAll(postgres.close)
const seed = Number(process.env.KONTOR_FAULTS_SEED ?? Math.floor(Math.random() * 1_000_000))

/** The others take longer: `npm run test:faults` runs all of them. */
const quick = ['calm', 'kill-server', 'disk-full']
/** With many lost replies there are more possible orders than the checker tries: it has not decided. */
const isDecided = (violation: string) => !violation.includes('too many states')

test.each(quick)(`%s: no promise is broken (seed ${seed})`, { timeout: 900_000 }, async (name) => {
  const { violations, steps } = await runScenario(name, postgres, { seed, faults: scenarios[name]!.short })
  expect(violations.filter(isDecided)).toEqual([])
  expect(steps).toBeGreaterThan(0)
})

test('a seeded bug is found: the harness is not blind', { timeout: 900_000 }, async () => {
  const { violations } = await runScenario('calm', postgres, { seed, bug: 'idempotent-reply-not-stored', first: true })
  expect(violations).toHaveLength(1)
})
