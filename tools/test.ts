/** `npm test`: checks that need no database, then all tests. Arguments select tests: `npm test -- glossaries`. */
import { spawnSync } from 'node:child_process'
import { ensureBrowser, noBrowser } from './browser.ts'

const run = (command: string, ...args: string[]) => {
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(status ?? 1)
}
const only = process.argv.slice(2)
if (only.length === 0) run('node', 'tools/check.ts')
if (only.length === 0 && !ensureBrowser()) console.log(noBrowser)
run('vitest', 'run', ...only)
