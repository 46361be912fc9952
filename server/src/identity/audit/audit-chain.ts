/**
 * The audit log as a hash chain: each row contains the hash of the previous row. core/access/audit.ts writes single
 * events.
 *
 * The database accepts only inserts. Anyone who circumvents it breaks the chain, and `verifyAudit` finds the place. A
 * truncated log is detected only with an anchor, a row number and hash that are stored elsewhere; the server logs one
 * every day.
 */
import { createHash } from 'node:crypto'
import type { Db } from '../../adapters/postgres/db.ts'
import { toRow, type AuditEvent } from '../../core/access/audit.ts'
import * as sql from '../../core/access/audit.sql.ts'

/** Writes an event; resolves when it is committed. */
export type WriteAudit = (event: AuditEvent) => Promise<void>

/**
 * The writer for frequent events outside of a transaction: sign-ins and tokens. Each process has one. Events that arrive
 * during a write are inserted together by the next statement, so that many sign-ins at once use one connection.
 */
export function createAuditWriter(db: Db): WriteAudit {
  let waiting: sql.NewAuditRow[] = []
  let writing: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined
  const flush = async () => {
    await writing.catch(() => {})
    next = undefined
    const rows = waiting
    waiting = []
    writing = sql.insertEvents(db, rows)
    await writing
  }
  return (event) => {
    waiting.push(toRow(event))
    return (next ??= flush())
  }
}

interface Anchor {
  readonly seq: number
  readonly hash: string
}

interface Verdict {
  readonly rows: number
  /** The last row, to be stored elsewhere as an anchor. */
  readonly end?: Anchor
  /** The first fault. */
  readonly fault?: string
}

const page = 5000

/** Reads the whole chain and recomputes its hashes. The row that the anchor names must still have the same hash. */
export async function verifyAudit(db: Db, anchor?: Anchor): Promise<Verdict> {
  let last: sql.ChainedRow | undefined
  let anchorFound = anchor === undefined
  for (;;) {
    const rows = await sql.findChain(db, last?.seq ?? 0, page)
    for (const row of rows) {
      const fault = faultOf(row, last)
      if (fault !== undefined) return { rows: last?.seq ?? 0, fault }
      if (row.seq === anchor?.seq) {
        if (row.hash.toString('hex') !== anchor.hash)
          return { rows: row.seq, fault: `row ${row.seq} is not the anchored one` }
        anchorFound = true
      }
      last = row
    }
    if (rows.length < page) break
  }
  if (!anchorFound) return { rows: last?.seq ?? 0, fault: `row ${anchor!.seq}, which the anchor names, is missing` }
  return { rows: last?.seq ?? 0, ...(last && { end: { seq: last.seq, hash: last.hash.toString('hex') } }) }
}

function faultOf(row: sql.ChainedRow, last: sql.ChainedRow | undefined): string | undefined {
  const expected = (last?.seq ?? 0) + 1
  if (row.seq !== expected) return `row ${expected} is missing`
  if (!row.previous.equals(last?.hash ?? Buffer.alloc(32))) return `row ${row.seq} does not follow row ${row.seq - 1}`
  if (!row.hash.equals(hashOf(row))) return `row ${row.seq} was changed`
  return undefined
}

/** The same computation as in the database trigger: the previous hash, then each field with its length in bytes. */
function hashOf(row: sql.ChainedRow): Buffer {
  const fields = [row.seq, row.at.getTime(), row.actor, row.client, row.session, row.address, row.action, row.object]
  const hash = createHash('sha256').update(row.previous)
  for (const field of [...fields, row.outcome, row.detail, row.supportId].map(String)) {
    hash.update(`${Buffer.byteLength(field)}:${field}`)
  }
  return hash.digest()
}

/** The last row of the log, to be stored where an administrator of the database cannot change it. */
export async function auditAnchor(db: Db): Promise<Anchor | undefined> {
  const last = await sql.findLastLink(db)
  return last && { seq: last.seq, hash: last.hash.toString('hex') }
}

export { audit, type AuditEvent } from '../../core/access/audit.ts'
export { findEvents, type AuditRow } from '../../core/access/audit.sql.ts'
