/** A PostgreSQL whose disk can be filled: a small file system in memory, which only root can mount. */
import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, rmdirSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { call, core, schemaVersion } from './client.ts'
import type { Random } from './random.ts'
import { openPostgres, type Postgres } from './postgres.ts'
import type { World } from './world.ts'

const size = '512m'
/** The log of PostgreSQL must fit in, and reach a new segment within a fault. */
const settings = { max_wal_size: '64MB', min_wal_size: '32MB', wal_recycle: 'off' }

/** undefined: a file system cannot be mounted here. */
export async function openSmallDisk(): Promise<Postgres | undefined> {
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
  const postgres = await openPostgres(join(folder, 'postgres'), settings)
  return {
    ...postgres,
    fill: () => fill(join(folder, 'ballast')),
    async close() {
      await postgres.close()
      process.off('exit', unmount)
      unmount()
    },
  }
}

/** Leaves no byte. Returns what frees the space again. */
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

/** A write that finds no space is answered with 503, and everything goes on as soon as there is some, without a restart. */
export async function fillDisk(world: World, random: Random, n: number): Promise<number | false> {
  const empty = world.postgres.fill?.()
  if (!empty) return false
  let refusals = 0
  try {
    const end = performance.now() + 1500 + random.below(1500)
    for (let i = 0; performance.now() < end; i++) {
      const kwd = Array.from({ length: 200 }, (_, k) => ({ name: { itm: [{ value: `full-${n}-${i}-${k}` }] } }))
      const { status, bytes } = await call(world, `${core}/common/keywords/persist`, {
        body: { schemaVersion, kwds: { kwd } },
      })
      if (status >= 500 && status !== 503)
        world.seen.push(`the disk of PostgreSQL is full: ${status} ${bytes.toString()}`)
      if (status === 503) refusals++
      await pause(20)
    }
  } finally {
    empty()
  }
  const since = performance.now()
  if (refusals === 0) world.seen.push('the disk of PostgreSQL is full, and no write was refused')
  return since
}
