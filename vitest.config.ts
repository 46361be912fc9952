/** Two kinds of tests: pure code in threads, and everything that needs the database or a process in forks. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    reporters: [['default', { summary: false }], './tools/plain-reporter.ts'],
    projects: [
      {
        test: {
          name: 'pure',
          include: [
            'contract/src/**/*.test.ts',
            'sdk/src/**/*.test.ts',
            'console/src/**/*.test.ts',
            'tools/**/*.test.ts',
          ],
          pool: 'threads',
          isolate: false,
          sequence: { groupOrder: 0 },
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', 'search-engine/**/*.test.ts', 'cli/src/**/*.test.ts', 'e2e/**/*.test.ts'],
          globalSetup: ['server/test/global-setup.ts'],
          pool: 'forks',
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          testTimeout: 180_000, // three times what the slowest needs: machines are shared
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
