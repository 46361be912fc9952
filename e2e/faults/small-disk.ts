/** A disk that can be filled: a small file system in memory, which only root can mount. */
import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, rmdirSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { form, paramsPart, payloadPart } from '../../server/test/files.ts'
import { call, core, schemaVersion } from './client.ts'
import type { Random } from './random.ts'
import { openPostgres, type Postgres } from './postgres.ts'
import type { World } from './world.ts'

export interface SmallDisk {
  readonly folder: string
  /** Leaves no byte. Returns what frees the space again. */
  fill(): () => void
  close(): void
}

/** undefined: a file system cannot be mounted here. */
export function mountSmallDisk(size: string): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-small-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmdirSync(folder)
    return undefined
  }
  chmodSync(folder, 0o755)
  const unmount = () => {
    execFileSync('umount', ['--lazy', folder])
    rmdirSync(folder)
  }
  process.on('exit', unmount)
  return {
    folder,
    fill: () => fill(join(folder, 'ballast')),
    close() {
      process.off('exit', unmount)
      unmount()
    },
  }
}

export function canMount(): boolean {
  const disk = mountSmallDisk('64k')
  disk?.close()
  return disk !== undefined
}

/** The log of PostgreSQL must fit in, and reach a new segment within a fault. */
const settings = { max_wal_size: '64MB', min_wal_size: '32MB', wal_recycle: 'off' }

/** A PostgreSQL on a small disk. */
export async function openOnSmallDisk(): Promise<Postgres | undefined> {
  const disk = mountSmallDisk('512m')
  if (!disk) return undefined
  const postgres = await openPostgres(join(disk.folder, 'postgres'), settings)
  return {
    ...postgres,
    fill: disk.fill,
    async close() {
      await postgres.close()
      disk.close()
    },
  }
}

function fill(file: string): () => void {
  const descriptor = openSync(file, 'w')
  try {
    for (let bytes = 2 ** 20; bytes >= 512; bytes /= 2) while (writes(descriptor, bytes));
  } finally {
    closeSync(descriptor)
  }
  return () => rmSync(file)
}

function writes(descriptor: number, bytes: number): boolean {
  try {
    return writeSync(descriptor, Buffer.alloc(bytes)) === bytes
  } catch {
    return false
  }
}

/**
 * Sends requests while the disk is full. One that finds no space is answered with 503, and everything goes on as soon as there
 * is some, without a restart.
 */
async function whileFull(
  world: World,
  random: Random,
  what: string,
  fill: () => () => void,
  send: (i: number) => Promise<number[]>,
): Promise<number> {
  const empty = fill()
  let refusals = 0
  try {
    const end = performance.now() + 1500 + random.below(1500)
    for (let i = 0; performance.now() < end; i++) {
      for (const status of await send(i)) {
        if (status >= 500 && status !== 503)
          world.seen.push(`${what} is full, and a request is answered with ${status}`)
        if (status === 503) refusals++
      }
      await pause(20)
    }
  } finally {
    empty()
  }
  const since = performance.now()
  if (refusals === 0) world.seen.push(`${what} is full, and no request was refused`)
  return since
}

const storeKeywords = (world: World, count: number, name: string) => {
  const kwd = Array.from({ length: count }, (_, k) => ({ name: { itm: [{ value: `${name}-${k}` }] } }))
  return call(world, `${core}/common/keywords/persist`, { body: { schemaVersion, kwds: { kwd } } })
}

export const fillDatabase = (world: World, random: Random, n: number): Promise<number> =>
  whileFull(world, random, 'the disk of PostgreSQL', world.postgres.fill!, async (i) => [
    (await storeKeywords(world, 200, `full-${n}-${i}`)).status,
  ])

/** The data folder, with the work of all processes of the server. What needs no file goes on. */
export const fillData = (world: World, random: Random, n: number): Promise<number> =>
  whileFull(world, random, 'the disk of the data folder', world.disk!.fill, async (i) => {
    const tid = `full-${n}-${i}`
    const [keyword, found] = await Promise.all([
      storeKeywords(world, 1, tid),
      call(world, '/api/v1/search', { body: { context: { index: 'PRODUCT' }, resultAttributes: ['tid'] } }),
    ])
    for (const { status, bytes } of [keyword, found])
      if (status >= 500) world.seen.push(`the disk of the data folder is full: ${status} ${bytes.toString()}`)
    const { body, type } = form(paramsPart({ path: `/MAM/faults/${tid}.bin`, tid }), payloadPart(random.bytes(20_000)))
    return [(await call(world, `${core}/dam/assets/bin/persist`, { body, type })).status]
  })
