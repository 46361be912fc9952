/**
 * Commits bytes and rows together: the bytes become durable first, then one transaction makes them visible.
 *
 * The garbage collector and this transaction exclude each other, and the transaction checks again that the bytes exist.
 * So a row never refers to missing bytes, even if both run at the same time.
 */
import type { Blobs, Staged } from '../../adapters/blobs/blobs.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { blockCollector, touchBlob } from './blobs.sql.ts'

/** The bytes were collected after they had been found. They are stored again. */
class Collected extends Error {}

/**
 * `transact` opens a transaction and first calls the function it receives, which makes sure that the staged bytes exist
 * and registers them.
 */
export async function commitWithBlobs<T>(
  blobs: Blobs,
  staged: readonly Staged[],
  transact: (registerBlobs: (db: Db) => Promise<void>) => Promise<T>,
): Promise<T> {
  const registerBlobs = async (db: Db) => {
    await blockCollector(db)
    for (const { sha256, size } of staged) {
      if (!(await blobs.has(sha256, size))) throw new Collected(`${sha256} is gone`)
      await touchBlob(db, sha256, size)
    }
  }
  for (let attempt = 1; ; attempt++) {
    for (const one of staged) await blobs.keep(one)
    try {
      return await transact(registerBlobs)
    } catch (error) {
      if (!(error instanceof Collected) || attempt === 3) throw error
    }
  }
}
