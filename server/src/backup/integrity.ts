/** Checks the integrity of a system: its records, its audit log, and every stored file. Changes nothing. */
import type { Blobs } from '../adapters/blobs/blobs.ts'
import type { Database } from '../adapters/postgres/db.ts'
import { scrub } from '../dam/storage/collect.ts'
import { verifyAudit } from '../identity/audit/audit-chain.ts'
import { findFaults } from './integrity.sql.ts'

interface Integrity {
  readonly files: number
  readonly auditRows: number
  /** The faults, as sentences. */
  readonly faults: readonly string[]
}

/** `anchor` is an earlier last row of the audit log, which must still exist. */
export async function checkIntegrity(database: Database, blobs: Blobs, anchor?: string): Promise<Integrity> {
  const faults = await findFaults(database)
  const [seq, hash] = anchor?.split(':') ?? []
  const audit = await verifyAudit(database, hash === undefined ? undefined : { seq: Number(seq), hash })
  if (audit.fault !== undefined) faults.push(`the audit log: ${audit.fault}`)
  const files = await scrub(database, blobs, ({ sha256, fault, assets }) => {
    faults.push(`the file ${sha256} is ${fault}${assets.length > 0 ? `; used by ${assets.join(', ')}` : ''}`)
  })
  return { files, auditRows: audit.rows, faults }
}
