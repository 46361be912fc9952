/**
 * A Kontor of its own for a benchmark: a real process with an embedded PostgreSQL, and a token. Its data stand in a
 * temporary folder, or in one that is kept from run to run.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, type Database } from '../../server/src/adapters/postgres/db.ts'
import { freePort } from '../../server/src/process/free-port.ts'

export interface BenchServer {
  url: string
  pid: number
  /** Its data folder. */
  data: string
  /** Of the user admin. */
  password: string
  database: Database
  /** The headers of a request of an administrator. */
  headers: { authorization: string }
  post(
    path: string,
    body: string | Buffer | ReadableStream,
    headers?: Record<string, string>,
    method?: string,
  ): Promise<Response>
  /** Resident memory of the server process in MB. */
  memory(): Promise<number>
  stop(): Promise<void>
}

export async function startServer(env: Record<string, string> = {}, kept?: string): Promise<BenchServer> {
  const data = kept ?? (await mkdtemp(join(tmpdir(), 'kontor-bench-')))
  const port = await freePort('127.0.0.1')
  const url = `http://localhost:${port}`
  const password = kept === undefined ? randomUUID() : await keptPassword(kept)
  const child = spawn('node', ['--max-semi-space-size=16', 'server/src/main.ts'], {
    env: {
      ...process.env,
      KONTOR_DATA: data,
      KONTOR_PORT: String(port),
      KONTOR_ADMIN_PASSWORD: password,
      KONTOR_LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true, // in a session of its own, as a service has it: its clients are elsewhere
  })
  process.once('SIGINT', () => {
    child.kill('SIGTERM')
    process.exit(1)
  })
  await untilReady(url, child)
  const token = await signIn(url, password)
  const database = connect({ host: await socketFolder(data), user: 'kontor', database: 'postgres', max: 2 })
  return {
    url,
    pid: child.pid!,
    data,
    password,
    database,
    headers: { authorization: `Bearer ${token}` },
    post: (path, body, headers, method = 'POST') =>
      fetch(url + path, {
        method,
        body: body as RequestInit['body'],
        headers: { authorization: `Bearer ${token}`, ...headers },
        ...(body instanceof ReadableStream && { duplex: 'half' }),
      } as RequestInit),
    async memory() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
      return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024
    },
    async stop() {
      await database.close()
      child.kill('SIGTERM')
      await new Promise((resolve) => child.once('exit', resolve))
      if (kept === undefined) await rm(data, { recursive: true, force: true })
    },
  }
}

/** It holds from the first start on, so it is written down beside the data. */
async function keptPassword(folder: string): Promise<string> {
  const file = `${folder}.password`
  await mkdir(folder, { recursive: true })
  await writeFile(file, randomUUID(), { flag: 'wx', mode: 0o600 }).catch(() => {})
  return readFile(file, 'utf8')
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (child.exitCode !== null) throw new Error('the server did not start')
    const ready = await fetch(`${url}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    )
    if (ready) return
    await pause(100)
  }
  throw new Error('the server did not get ready within a minute')
}

export async function signIn(url: string, password: string, username = 'admin'): Promise<string> {
  const form = { grant_type: 'password', client_id: 'kontor-ui', username, password, scope: 'openid' }
  const reply = await fetch(`${url}/auth/realms/kontor/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  return ((await reply.json()) as { access_token: string }).access_token
}

/** Line 5 of postmaster.pid names the folder of the unix socket. */
async function socketFolder(data: string): Promise<string> {
  return (await readFile(join(data, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[4]!
}
