/**
 * Garbage collection of blobs after a grace period, and verification of stored blobs.
 *
 *   expired uploads       with their chunks; also versions past their timeout
 *   unreferenced blobs    rows first, then their bytes, while nobody stores files and no backup runs
 *   bytes without a row   left by a crash between the two steps
 *   the spool             files of interrupted uploads
 */
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import { Missing } from '../../adapters/blobs/store.ts'
import type { Database } from '../../adapters/postgres/db.ts'
import { deleteTimedOut } from '../assets/versions/versions.sql.ts'
import { deleteExpired, knownUploads } from '../assets/bin/uploads/uploads.sql.ts'
import * as rows from './blobs.sql.ts'

export const collectJob = 'dam.collect'
export const collectTimes = '47 * * * *'
/** Small batches, so that requests that store files wait only briefly for the lock. */
const batch = 100

export interface Collected {
  readonly blobs: number
  readonly orphans: number
  readonly uploads: number
  readonly spooled: number
}

export async function collect(
  database: Database,
  blobs: Blobs,
  graceMinutes: number,
  archive?: Blobs,
): Promise<Collected> {
  const before = new Date(Date.now() - graceMinutes * 60_000)
  await deleteTimedOut(database)
  return {
    uploads: await collectUploads(database, blobs, before),
    blobs: await collectBlobs(database, [blobs, ...(archive ? [archive] : [])], graceMinutes),
    orphans:
      (await collectOrphans(database, blobs, before, 'main', archive)) +
      (archive ? await collectOrphans(database, archive, before, 'archive', blobs) : 0),
    spooled: (await blobs.sweep(before)) + ((await archive?.sweep(before)) ?? 0),
  }
}

async function collectUploads(database: Database, blobs: Blobs, before: Date): Promise<number> {
  const expired = await deleteExpired(database)
  const found = await blobs.uploads()
  const known = new Set((await knownUploads(database, [...found.keys()])).map(({ id }) => id))
  for (const [upload, last] of found) if (!known.has(upload) && last < before) await blobs.dropChunks(upload)
  return expired
}

async function collectBlobs(database: Database, stores: readonly Blobs[], graceMinutes: number): Promise<number> {
  for (let count = 0; ;) {
    const gone = await database.transaction(async (db) => {
      if (!(await rows.tryCollecting(db))) return []
      const forgotten = await rows.forgetUnused(db, graceMinutes, batch)
      for (const { sha256 } of forgotten) for (const store of stores) await store.remove(sha256)
      return forgotten
    })
    count += gone.length
    if (gone.length < batch) return count
  }
}

/** A file that is in the other store by its row is removed only if that store really has it. */
async function collectOrphans(
  database: Database,
  blobs: Blobs,
  before: Date,
  tier: 'main' | 'archive',
  other: Blobs | undefined,
): Promise<number> {
  let count = 0
  let waiting: string[] = []
  const settle = async () => {
    const candidates = waiting
    waiting = []
    if (candidates.length === 0) return
    await database.transaction(async (db) => {
      if (!(await rows.tryCollecting(db))) return
      for (const { sha256, size } of await rows.unknownOf(db, candidates, tier)) {
        if (size !== null && !(await other?.has(sha256, size))) continue
        await blobs.remove(sha256)
        count++
      }
    })
  }
  for await (const { sha256, modifiedAt } of blobs.list()) {
    if (modifiedAt >= before || !/^[0-9a-f]{64}$/.test(sha256)) continue
    if (waiting.push(sha256) >= batch) await settle()
  }
  await settle()
  return count
}

/** A damaged or missing blob. */
export interface Finding {
  readonly sha256: string
  readonly fault: 'missing' | 'damaged'
  /** tids of the assets that use it. */
  readonly assets: readonly string[]
}

/** Reads every blob and compares it with its hash. Changes nothing. */
export async function scrub(database: Database, blobs: Blobs, report: (finding: Finding) => void): Promise<number> {
  let count = 0
  for (let after = ''; ;) {
    const page = await rows.blobsAfter(database, after, batch)
    for (const { sha256 } of page) {
      count++
      const fault = await faultOf(blobs, sha256)
      if (fault) report({ sha256, fault, assets: (await rows.usersOf(database, sha256)).map(({ tid }) => tid) })
    }
    if (page.length < batch) return count
    after = page.at(-1)!.sha256
  }
}

async function faultOf(blobs: Blobs, sha256: string): Promise<Finding['fault'] | undefined> {
  try {
    for await (const _piece of await blobs.lend(sha256)); // reading verifies the hash
    return undefined
  } catch (error) {
    return error instanceof Missing ? 'missing' : 'damaged'
  }
}
