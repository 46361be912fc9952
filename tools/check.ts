/** `npm run check`: format, lint, types of every package. It runs all checks even when one fails. */
import { spawnSync } from 'node:child_process'

// prettier-ignore
const checks = [
  ['prettier', '--check', '--log-level', 'warn', '.'],
  ['node', 'tools/figures.ts'],
  ['oxlint', '--type-aware', '--deny-warnings', '.'],
  ...['contract', 'search-engine', 'sdk', 'demo', 'server', 'cli', 'console', 'tools'].map((part) => ['tsc', '--noEmit', '-p', part]),
]
const failed = checks.filter(([command, ...args]) => {
  const { status } = spawnSync(command!, args, { stdio: 'inherit', shell: process.platform === 'win32' })
  return status !== 0
})
for (const check of failed) console.error(`failed: ${check.join(' ')}`)
process.exit(failed.length === 0 ? 0 : 1)
