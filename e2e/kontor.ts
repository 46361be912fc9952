/** Kontor as its users have it: a process with a data folder, reached over HTTP. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { signIn } from '../server/test/token.ts'

export interface Kontor {
  readonly child: ChildProcess
  readonly url: string
  readonly issuer: string
  /** Everything the process has said so far. */
  output(): string
  /** Sends a signal and returns the exit code when the process has ended; null, when the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url))

/** A folder that is removed with everything in it. */
export function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-e2e-'))
  chmodSync(folder, 0o755) // where root runs the tests, the database runs as somebody else
  return folder
}
export const removeFolder = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 10 })

/** Starts a process without waiting for it to be ready. */
export function spawnKontor(env: Record<string, string>, words: readonly string[] = []): Kontor {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [main, ...words], {
    env: { PATH, KONTOR_PORT: '0', KONTOR_LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const hear = (chunk: Buffer) => (output += chunk)
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const exited = once(child, 'exit') as Promise<[number | null]>
  const addressIn = () => /^Kontor is ready: (http\S+)$/m.exec(output)?.[1] ?? ''
  return {
    child,
    get url() {
      return addressIn()
    },
    get issuer() {
      return `${addressIn()}/auth/realms/kontor`
    },
    output: () => output,
    async end(signal) {
      child.kill(signal)
      return (await exited)[0]
    },
  }
}

/** Starts a process and waits until it is ready; it is killed, at the latest, when the test ends. */
export async function startKontor(env: Record<string, string>, words?: readonly string[]): Promise<Kontor> {
  const kontor = spawnKontor(env, words)
  onTestFinished(async () => void (await kontor.end('SIGKILL')))
  await whenReady(kontor)
  return kontor
}

export const whenReady = (kontor: Kontor) =>
  new Promise<void>((resolve, reject) => {
    const look = () => void (/^Kontor is ready/m.test(kontor.output()) && resolve())
    kontor.child.stdout!.on('data', look)
    kontor.child.once('exit', (code) => reject(new Error(`ended with ${code}: ${kontor.output()}`)))
  })

/** What a process says before it ends by itself, and its exit code. */
export async function runKontor(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const kontor = spawnKontor(env)
  const [code] = (await once(kontor.child, 'close')) as [number | null]
  return { code, output: kontor.output() }
}

export async function tokenOf({ issuer }: Kontor, password: string): Promise<string> {
  const { status, body } = await signIn(issuer, 'admin', password)
  if (status !== 200) throw new Error(`no token: ${JSON.stringify(body)}`)
  return body.access_token!
}
