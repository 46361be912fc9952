/**
 * `npm test`: the checks, then every test that is fast. `npm run test:slow`: the tests that are long by nature. Arguments
 * go to the test runner, over all projects (`npm test -- glossaries`).
 *
 * Files of tests that failed run once more, each alone and with a database of its own, because a busy machine can miss a
 * moment. The output names them. If many failed, the fault is not the machine, and nothing is repeated.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBrowser, noBrowser } from './browser.ts'

const mostRepeated = 3

const run = (command: string, ...args: string[]) => {
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' })
  return status ?? 1
}
const asked = process.argv.slice(2)
if (asked.length === 0) {
  endUnless(run('node', 'tools/check.ts'))
  runAndRepeat(['pure', 'engine', 'server'])
} else if (asked[0] === '--slow') {
  if (!ensureBrowser()) console.log(noBrowser)
  runAndRepeat(['slow'], ...asked.slice(1))
} else {
  endUnless(run('vitest', 'run', ...asked))
}

function runAndRepeat(projects: readonly string[], ...args: string[]): void {
  const chosen = projects.flatMap((name) => ['--project', name])
  const folder = mkdtempSync(join(tmpdir(), 'kontor-tests-'))
  process.env.KONTOR_FAILED_FILES = join(folder, 'failed')
  const status = run('vitest', 'run', ...chosen, ...args)
  const failed = status === 0 ? [] : failedFiles(process.env.KONTOR_FAILED_FILES)
  delete process.env.KONTOR_FAILED_FILES
  rmSync(folder, { recursive: true })
  if (status === 0) return
  if (failed.length === 0 || failed.length > mostRepeated) process.exit(status)
  const names = failed.join(', ')
  console.log(`\nRun once more, each alone: ${names}\n`)
  endUnless(run('vitest', 'run', ...chosen, '--no-file-parallelism', ...failed))
  console.log(`Failed at first, passed when repeated: ${names}`)
}

/** Written by plain-reporter.ts; nothing if the runner itself broke. */
function failedFiles(list: string): string[] {
  try {
    return readFileSync(list, 'utf8').split('\n').filter(Boolean)
  } catch {
    return []
  }
}

function endUnless(status: number): void {
  if (status !== 0) process.exit(status)
}
