/** Runs Kontor as its users do: as a process with a data folder, reached over HTTP. */
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
  /** Standard output and standard error so far. */
  output(): string
  /** Sends a signal, waits for the end of the process, and returns its exit code: null when the signal killed it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

const fromSources = [process.execPath, fileURLToPath(new URL('../server/src/main.ts', import.meta.url))]

export function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-e2e-'))
  chmodSync(folder, 0o755) // when root runs the tests, the database runs as another user and must read the folder
  return folder
}
export const removeFolder = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 10 })

/** Starts a process without waiting for it to be ready. */
export function spawnKontor(
  env: Record<string, string>,
  args: readonly string[] = [],
  [program, ...first]: readonly string[] = fromSources,
): Kontor {
  const { PATH = '' } = process.env
  const child = spawn(program!, [...first, ...args], {
    env: { PATH, KONTOR_PORT: '0', KONTOR_LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const append = (chunk: Buffer) => (output += chunk)
  child.stdout.on('data', append)
  child.stderr.on('data', append)
  const exited = once(child, 'exit') as Promise<[number | null]>
  const printedUrl = () => /Kontor is ready: (http[^\s"]+)"/.exec(output)?.[1] ?? ''
  return {
    child,
    get url() {
      return printedUrl()
    },
    get issuer() {
      return `${printedUrl()}/auth/realms/kontor`
    },
    output: () => output,
    async end(signal) {
      child.kill(signal)
      return (await exited)[0]
    },
  }
}

/** Starts a process and waits until it is ready. It is killed at the end of the test if it still runs. */
export async function startKontor(
  env: Record<string, string>,
  args?: readonly string[],
  program?: readonly string[],
): Promise<Kontor> {
  const kontor = spawnKontor(env, args, program)
  onTestFinished(async () => void (await kontor.end('SIGKILL')))
  await whenReady(kontor)
  return kontor
}

export const whenReady = (kontor: Kontor) =>
  new Promise<void>((resolve, reject) => {
    const check = () => void (/Kontor is ready/.test(kontor.output()) && resolve())
    kontor.child.stdout!.on('data', check)
    kontor.child.once('exit', (code) => reject(new Error(`ended with ${code}: ${kontor.output()}`)))
  })

/** Runs a process that ends by itself; returns its output and its exit code. */
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
