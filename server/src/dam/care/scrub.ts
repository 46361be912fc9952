/**
 * The regular read of all stored files: each is compared with its hash within KONTOR_SCRUB_DAYS. A run is a row with a
 * position, so that it goes on after a restart. One process works on it at a time and holds it by a claim that ends with the
 * process. The rate of reading is limited, so that people do not feel it.
 *
 * A damaged file is marked, and nobody gets its bytes. A whole copy in the archive replaces them; otherwise, uploading the
 * same file does.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type Blobs, Corrupt } from '../../adapters/blobs/blobs.ts'
import { Missing } from '../../adapters/blobs/store.ts'
import { addJob } from '../../adapters/jobs/jobs.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { notify } from '../../common/api.ts'
import type { Services } from '../../core/batch/batch.ts'
import { commitWithBlobs } from '../storage/storing.ts'
import { announceFile } from '../found/analysis.sql.ts'
import type { CareCounts } from './counts.ts'
import { makeAvailable } from './scan.ts'
import { findUses } from './scan.sql.ts'
import * as rows from './scrub.sql.ts'

export const scrubJob = 'dam.scrub'
export const scrubTimes = '*/10 * * * *'
/** Milliseconds that one job reads at most; the next one goes on. */
const jobMs = 9 * 60_000
const [pageSize, mostNamed] = [100, 20]

export interface Stores {
  readonly main: Blobs
  readonly archive: Blobs | undefined
}
interface ScrubNeeds {
  readonly services: Pick<Services, 'database' | 'config'>
  readonly stores: Stores
  readonly counts: CareCounts
}

export const queueScrub = (db: Db) => addJob(db, scrubJob, {}, { key: scrubJob })

/** Starts a run if one is due, and goes on with the open one. */
export async function scrubSome({ services, stores, counts }: ScrubNeeds, stop?: AbortSignal): Promise<void> {
  const { database, config } = services
  if (config.scrubDays > 0 && (await rows.isDue(database, config.scrubDays))) await rows.startRun(database, 'system')
  const run = await rows.claimRun(database)
  if (!run) return
  const until = performance.now() + jobMs
  const throttle = createThrottle(config.scrubRate * 1024 * 1024, () => rows.renewClaim(database, run.id))
  const fresh: string[] = []
  try {
    for (let after = run.position; ;) {
      const page = await rows.blobsFrom(database, after, pageSize)
      for (const blob of page) {
        if (stop?.aborted || performance.now() > until) return
        const fault = await faultOf(stores, blob, throttle)
        if (fault === 'away') return
        // It was moved or removed while it was read.
        const isGone = fault !== null && !(await rows.isStill(database, blob))
        if (!isGone && (await settle(database, stores, run.id, blob, fault))) fresh.push(blob.sha256)
        await rows.advance(database, run.id, blob.sha256, blob.size)
        counts.scrubbed++
        if (fault && !isGone) counts.faults++
        after = blob.sha256
      }
      if (page.length < pageSize) return await rows.endRun(database, run.id)
    }
  } finally {
    await report(database, run.id, fresh)
    await rows.unclaimRun(database, run.id)
  }
}

/** As a folder is whose volume is not mounted. Its files are not lost. */
export async function isEmpty(store: Blobs): Promise<boolean> {
  for await (const _ of store.list()) return false
  return true
}

type Blob = Awaited<ReturnType<typeof rows.blobsFrom>>[number]

/** `away` if the store as a whole does not answer: that is no fault of the file. */
async function faultOf(
  stores: Stores,
  { sha256, tier }: Blob,
  throttle: Throttle,
): Promise<rows.Fault | 'away' | null> {
  const store = tier === 'archive' ? stores.archive : stores.main
  if (!store) return null // the archive is not configured any more
  try {
    for await (const piece of await store.reread(sha256)) await throttle(piece.length)
    return null
  } catch (error) {
    if (error instanceof Missing && (await isEmpty(store)))
      throw new Error(`the ${tier === 'archive' ? 'archive' : 'store'} has no files: is its volume mounted?`, { cause: error }) // prettier-ignore
    if (error instanceof Missing) return 'missing'
    if (error instanceof Corrupt) return 'damaged'
    return store.check().then(
      () => 'unreadable' as const,
      () => 'away' as const,
    )
  }
}

/** Returns whether this is a new fault that could not be repaired. */
async function settle(
  database: Services['database'],
  stores: Stores,
  runId: number,
  blob: Blob,
  fault: rows.Fault | null,
) {
  const { sha256, size, tier } = blob
  if (fault === null) {
    if (blob.fault !== null)
      await database.transaction(async (db) => {
        if (await rows.writeFault(db, sha256, null)) await makeAvailable(db, sha256)
      })
    return false
  }
  const isNew = await database.transaction(async (db) => {
    const isMarked = await rows.writeFault(db, sha256, fault)
    if (isMarked) await announceFile(db, sha256)
    return isMarked
  })
  const isRepaired = tier === 'main' && stores.archive !== undefined && (await repair(database, stores.main, stores.archive, sha256)) // prettier-ignore
  await rows.insertFinding(database, runId, { sha256, size, fault, isRepaired })
  return isNew && !isRepaired
}

/** Replaces damaged bytes by a whole copy of the archive, if there is one. */
async function repair(database: Services['database'], main: Blobs, archive: Blobs, sha256: string): Promise<boolean> {
  try {
    const staged = await main.stage(await archive.reread(sha256), Infinity)
    try {
      await commitWithBlobs(main, [staged], (registerBlobs) => database.transaction(registerBlobs))
      return true
    } finally {
      await staged.drop()
    }
  } catch (error) {
    if (error instanceof Missing || error instanceof Corrupt) return false
    throw error
  }
}

async function report(db: Db, runId: number, fresh: readonly string[]): Promise<void> {
  if (fresh.length === 0) return
  const lines: string[] = []
  for (const sha256 of fresh.slice(0, mostNamed)) {
    const uses = await findUses(db, sha256, 3)
    lines.push(uses.length === 0 ? sha256 : uses.map(({ path }) => path).join(', '))
  }
  await notify(db, {
    tid: `scrub ${runId} ${fresh[0]}`,
    recipientRole: 'admin',
    subject: fresh.length === 1 ? 'A stored file is damaged' : `${fresh.length} stored files are damaged`,
    body: `Their bytes are missing or differ from what was uploaded. Upload the same files again, or restore them from a backup. The report is under Settings, Care of files.\n\n${lines.join('\n')}`,
    severity: 'ERROR',
  })
}

type Throttle = (bytes: number) => Promise<void>

/** Waits so that no more than so many bytes pass in a second. Renews the claim in long files. */
function createThrottle(bytesPerSecond: number, renew: () => Promise<unknown>): Throttle {
  const begin = performance.now()
  let [passed, renewed] = [0, begin]
  return async (bytes) => {
    passed += bytes
    const ahead = (passed / bytesPerSecond) * 1000 - (performance.now() - begin)
    if (ahead > 20) await pause(ahead)
    if (performance.now() - renewed < 30_000) return
    renewed = performance.now()
    await renew()
  }
}
