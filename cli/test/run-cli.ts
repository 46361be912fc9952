/** Runs a command line in this process, in a configuration folder of its own, and captures what it prints. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { run } from '../src/run.ts'

interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const textOf = (output: string | Uint8Array) => (typeof output === 'string' ? output : Buffer.from(output).toString())

export async function runCli(line: string | readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  let [stdout, stderr] = ['', '']
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((stdout += textOf(text)), true)),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((stderr += textOf(text)), true)),
    vi.spyOn(console, 'log').mockImplementation((text: string) => void (stdout += `${text}\n`)),
    vi.spyOn(console, 'error').mockImplementation((text: string) => void (stderr += `${text}\n`)),
  ]
  try {
    const words = typeof line === 'string' ? line.split(' ').filter(Boolean) : line
    const code = await run(words, { KONTOR_CLI_HOME: '/nonexistent', ...env })
    return { code, stdout, stderr }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

/** A folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
