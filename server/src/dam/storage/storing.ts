/**
 * How bytes and rows come together: the bytes are durable first, then one transaction makes them visible.
 *
 * The collector of unused bytes and this transaction exclude each other, and inside it the bytes are looked for once
 * more. So a row never names bytes that are not there, however the two meet.
 */
import type { Blobs, Staged } from '../../adapters/blobs/blobs.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { holdCollector, touchBlob } from './blobs.sql.ts'

/** The bytes were collected after they had been found; they are stored again. */
class Collected extends Error {}

/** `transact` opens a transaction and begins it with what it is given; then the staged bytes are durable and known. */
export async function storing<T>(
  blobs: Blobs,
  staged: readonly Staged[],
  transact: (secure: (db: Db) => Promise<void>) => Promise<T>,
): Promise<T> {
  const secure = async (db: Db) => {
    await holdCollector(db)
    for (const { sha256, size } of staged) {
      if (!(await blobs.has(sha256, size))) throw new Collected(`${sha256} is gone`)
      await touchBlob(db, sha256, size)
    }
  }
  for (let attempt = 1; ; attempt++) {
    for (const one of staged) await blobs.keep(one)
    try {
      return await transact(secure)
    } catch (error) {
      if (!(error instanceof Collected) || attempt === 3) throw error
    }
  }
}
