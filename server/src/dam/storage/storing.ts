/**
 * Commits bytes and rows together: the bytes become durable first, then one transaction makes them visible.
 *
 * The garbage collector and this transaction exclude each other, and the transaction checks again that the bytes exist.
 * So a row never refers to missing bytes, even if both run at the same time.
 */
import { because } from '@kontor/contract'
import type { Blobs, Staged } from '../../adapters/blobs/blobs.ts'
import { addJob } from '../../adapters/jobs/jobs.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { Problem } from '../../errors.ts'
import type { Incoming } from '../care/hold.ts'
import { announceFile } from '../found/analysis.sql.ts'
import { blockCollector, clearFault, touchBlob } from './blobs.sql.ts'

export const scanJob = 'dam.scan'
/** One job checks all waiting files, so one of them in the queue is enough. */
export const queueScan = (db: Db) => addJob(db, scanJob, {}, { key: scanJob })

/** The bytes were collected after they had been found or written. Those that were found are stored again. */
class Collected extends Error {
  readonly sha256: string
  constructor(sha256: string) {
    super(`${sha256} is gone`)
    this.sha256 = sha256
  }
}
/** The stored bytes are known to be damaged. The new ones replace them. */
class Faulty extends Error {
  readonly staged: Staged
  constructor(staged: Staged) {
    super(`${staged.sha256} is damaged`)
    this.staged = staged
  }
}

/**
 * `transact` opens a transaction and first calls the function it receives, which makes sure that the staged bytes exist
 * and registers them.
 */
export async function commitWithBlobs<T>(
  /** Without `incoming`, the bytes were made by Kontor itself. */
  blobs: Blobs & { readonly incoming?: Incoming },
  staged: readonly Staged[],
  transact: (registerBlobs: (db: Db) => Promise<void>) => Promise<T>,
): Promise<T> {
  const replaced = new Set<string>()
  const registerBlobs = async (db: Db) => {
    await blockCollector(db)
    for (const one of staged) {
      const { sha256, size } = one
      if (!(await blobs.has(sha256, size))) throw new Collected(sha256)
      const { fault, wasArchived } = await touchBlob(db, sha256, size, blobs.incoming)
      if (fault !== null && !replaced.has(sha256)) throw new Faulty(one)
      if (fault !== null) await clearFault(db, sha256)
      if (fault !== null || wasArchived) await announceFile(db, sha256)
    }
    if (blobs.incoming === 'queued' || blobs.incoming === 'held') await queueScan(db)
  }
  for (let attempt = 1; ; attempt++) {
    for (const one of staged) if (await blobs.keep(one)) replaced.add(one.sha256)
    try {
      return await transact(registerBlobs)
    } catch (error) {
      // Bytes that this call has moved to their place are not in its hands any more.
      if (error instanceof Collected && (replaced.has(error.sha256) || attempt === 3))
        throw new Problem('unavailable', because('noFiles'), { cause: error })
      if (!(error instanceof Collected || error instanceof Faulty) || attempt === 3) throw error
      if (!(error instanceof Faulty)) continue
      await blobs.replace(error.staged)
      replaced.add(error.staged.sha256)
    }
  }
}
