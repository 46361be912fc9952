/**
 * The database cluster in a data folder: created by initdb at the first start, reused at every later one.
 *
 *   <data folder>/cluster          PostgreSQL's own files, and its socket
 *   <data folder>/cluster.new-*    an unfinished first start; the next start removes that of a killed process
 *   <data folder>/password         only where there are no unix sockets
 *   <data folder>/lock-*           which process uses the folder (folder-lock.ts)
 */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type pg from 'pg'
import type { Binaries } from './binaries.ts'
import { findWay, giveTo, spawnAs, type Way } from './run-as.ts'

export interface Cluster {
  readonly folder: string
  readonly way: Way
}

const user = 'kontor'

export async function openCluster(
  dataDir: string,
  binaries: Binaries,
  durable: boolean,
  tcp: boolean,
): Promise<Cluster> {
  const folder = join(dataDir, 'cluster')
  for (const name of await readdir(dataDir)) {
    if (name.startsWith('cluster.new-')) await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 10 })
  }
  if (existsSync(folder)) return { folder, way: findWay(binaries.postgres, folder, false) }

  const unfinished = await mkdtemp(join(dataDir, 'cluster.new-'))
  const way = findWay(binaries.postgres, unfinished, true)
  const authentication = tcp ? ['--auth=scram-sha-256', `--pwfile=${passwordFile(dataDir, way)}`] : ['--auth=trust']
  // prettier-ignore
  await run(way, binaries.initdb, [
    '--pgdata', unfinished, '--username', user, ...authentication, '--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8',
    '--data-checksums', '--no-instructions', ...(durable ? [] : ['--no-sync']),
  ], unfinished)
  await rename(unfinished, folder)
  syncFolder(dataDir)
  return { folder, way }
}

/** How the server listens, and how to connect to it. */
export interface Address {
  readonly settings: Record<string, string>
  readonly poolConfig: pg.PoolConfig
}

/** A socket that only the owner may open: no password, and not reachable from outside. */
export function socketAddress({ folder, way }: Cluster): Address {
  const host = fitsSocket(folder) ? folder : shortFolder(folder, way)
  return {
    settings: { listen_addresses: '', unix_socket_directories: host, unix_socket_permissions: '0700' },
    poolConfig: { host, port: 5432, user, database: 'postgres' },
  }
}

/** For systems without unix sockets: the loopback address, a free port and a password. */
export async function tcpAddress(dataDir: string, { way }: Cluster): Promise<Address> {
  const host = '127.0.0.1'
  const port = await freePort(host)
  const password = readFileSync(passwordFile(dataDir, way), 'utf8')
  return {
    settings: { listen_addresses: host, port: String(port), unix_socket_directories: '' },
    poolConfig: { host, port, user, password, database: 'postgres' },
  }
}

/** Memory settings by the size of the machine or container, times in UTC, and a log without statements of callers. */
export function serverSettings(): Record<string, string> {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity) / 2 ** 20
  return {
    shared_buffers: `${Math.ceil(Math.min(memory / 4, 1024))}MB`,
    max_wal_size: '2GB',
    max_locks_per_transaction: '256', // reading a history locks all its partitions
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    random_page_cost: '1.1', // no spinning disk: with the default whole tables are read to find some hundred rows
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '',
    log_min_messages: 'log',
    log_checkpoints: 'off',
  }
}

/** The maximum length of a socket path (macOS has the lowest), minus the name that PostgreSQL appends. */
const fitsSocket = (folder: string) => Buffer.byteLength(join(folder, '.s.PGSQL.5432')) < 104

/** A folder for the socket if the path of the data is too long. Its name can be guessed, so it must be ours or new. */
function shortFolder(folder: string, way: Way): string {
  const short = join(tmpdir(), `kontor-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`)
  if (!existsSync(short)) mkdirSync(short, { mode: 0o700 })
  const { uid, mode } = lstatSync(short)
  const isOurs = uid === process.getuid?.() || uid === way.uid
  if (!isOurs || mode !== 0o40700) throw new Error(`Remove ${short}: it is not ours, and the database needs that name`)
  giveTo(short, way)
  return short
}

function passwordFile(dataDir: string, { uid, gid }: Way): string {
  const file = join(dataDir, 'password')
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 })
  if (uid !== undefined) chownSync(file, uid, gid!)
  return file
}

async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

async function run(way: Way, program: string, args: string[], cwd: string): Promise<void> {
  const child = spawnAs(way, program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  const [complaint, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')])
  if (code !== 0) throw new Error(`${program} failed: ${complaint.trim()}`)
}

/** Syncs the folder, so that a new name in it survives a power failure. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
