/**
 * Five kinds of tests:
 *
 *   pure     code without a database or processes, in threads
 *   engine   the search engine on real files
 *   server   everything that needs PostgreSQL, through HTTP
 *   slow     long by nature: kills, conformance suites, large data, journeys in a browser, code blocks of the documents
 *
 *   cluster  several processes behind a proxy
 *
 * `npm test` runs the first three, `npm run test:slow` the slow ones, `npm run test:cluster` the last. Modules have no state, so test files share a worker
 * without isolation and the application is imported once per worker instead of once per file.
 */
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const slow = [
  'e2e/**/*.test.ts',
  '**/*crash.test.ts',
  'search-engine/src/large.test.ts',
  'server/src/adapters/jobs/jobs.test.ts',
  'server/src/adapters/postgres/embedded.test.ts',
  'server/src/admin/demo.test.ts',
  'server/src/backup/backup.test.ts',
  'server/src/core/batch/bulk.test.ts',
  'server/src/dam/assets/bin/download/body.test.ts',
  'server/src/dam/assets/previews/office.test.ts',
  'server/src/dam/renditions/media/media.test.ts',
  'server/src/dam/s3.test.ts',
  'server/src/identity/provider/conformance.test.ts',
  'server/src/identity/provider/libraries.test.ts',
  'server/src/operations/shares.test.ts',
  'server/src/search/areas.test.ts',
  'server/src/search/builder-processes.test.ts',
  'server/src/search/completeness.test.ts',
  'server/src/search/converges.test.ts',
  'server/test/canary.test.ts',
  'server/test/strict-input.test.ts',
]
const shared = { setupFiles: ['tools/test-setup.ts'] }
// Many times what the slowest test needs on a quiet machine, because machines are shared.
const patient = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } }
const onDatabase = { ...shared, ...patient, pool: 'forks' as const, globalSetup: ['server/test/global-setup.ts'] }

export default defineConfig({
  test: {
    reporters: [['default', { summary: false }], './tools/plain-reporter.ts'],
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      {
        test: {
          ...shared,
          name: 'pure',
          include: [
            'contract/src/**/*.test.ts',
            'sdk/src/**/*.test.ts',
            'console/src/**/*.test.ts',
            'tools/**/*.test.ts',
            'e2e/faults/{linear,inject,loss,power-loss,descriptors}.test.ts',
          ],
          pool: 'threads',
          isolate: false,
          sequence: { groupOrder: 0 },
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          ...patient,
          name: 'engine',
          include: ['search-engine/src/**/*.test.ts'],
          exclude: slow,
          pool: 'forks',
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...onDatabase,
          name: 'server',
          include: ['server/**/*.test.ts', 'cli/src/**/*.test.ts'],
          exclude: slow,
          isolate: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...onDatabase,
          name: 'slow',
          include: slow,
          exclude: [
            '**/node_modules/**',
            'e2e/cluster/**',
            'e2e/faults/{linear,inject,loss,power-loss,descriptors}.test.ts',
          ],
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...onDatabase,
          name: 'cluster',
          include: ['e2e/cluster/*.test.ts'],
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
