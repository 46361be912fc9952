/** `npm run check`: format, figures, lint and types, as many at once as the machine has cores. */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** `tools` includes every package that runs on Node; the others must compile without its types. */
const projects = ['tools', 'console', 'contract', 'sdk']
const checks: string[][] = [
  ['oxlint', '--type-aware', '--deny-warnings', '.'],
  ['prettier', '--check', '--cache', '--cache-location=node_modules/.cache/prettier-check', '--log-level', 'warn', '.'],
  ['node', 'tools/figures.ts'],
  ...projects.map((name) => ['tsc', '--noEmit', '-p', name]),
]

/** Runs a command, prints its output when it ends, and returns whether it succeeded. */
const run = ([command, ...args]: string[]) =>
  new Promise<boolean>((resolve) => {
    const child = spawn(command!, args, { shell: process.platform === 'win32' })
    const output: Buffer[] = []
    child.stdout.on('data', (piece: Buffer) => output.push(piece))
    child.stderr.on('data', (piece: Buffer) => output.push(piece))
    child.on('error', () => resolve(false))
    child.on('close', (status) => {
      process.stdout.write(Buffer.concat(output))
      resolve(status === 0)
    })
  })

/** All checks run even when one fails. */
const failed: string[] = []
const waiting = [...checks]
async function work(): Promise<void> {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    if (!(await run(check))) failed.push(check.join(' '))
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work))
for (const check of failed) console.error(`failed: ${check}`)
process.exit(failed.length === 0 ? 0 : 1)
