/**
 * `npm test`: the checks, then every test that is fast. `npm run test:slow`: the tests that are long by nature. Arguments
 * go to the test runner, over all projects (`npm test -- glossaries`).
 */
import { spawnSync } from 'node:child_process'
import { ensureBrowser, noBrowser } from './browser.ts'

const run = (command: string, ...args: string[]) => {
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(status ?? 1)
}
const asked = process.argv.slice(2)
if (asked.length === 0) {
  run('node', 'tools/check.ts')
  run('vitest', 'run', '--project', 'pure', '--project', 'engine', '--project', 'server')
} else if (asked[0] === '--slow') {
  if (!ensureBrowser()) console.log(noBrowser)
  run('vitest', 'run', '--project', 'slow', ...asked.slice(1))
} else {
  run('vitest', 'run', ...asked)
}
