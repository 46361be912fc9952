/**
 * The audit log as a whole: its rows, each chained to the one before by a hash. Single events are written by
 * core/access/audit.ts.
 *
 * Rows are only ever added; the database refuses anything else. Whoever goes around it breaks the chain, and `verify`
 * finds where. That the end was cut off shows only against an anchor, a number and hash kept elsewhere: the server logs
 * one a day.
 */
import { createHash } from 'node:crypto'
import type { Db } from '../../adapters/postgres/db.ts'
import { toRow, type AuditEvent } from '../../core/access/audit.ts'
import * as sql from '../../core/access/audit.sql.ts'

/** Writes an event, and is done when it is stored. */
export type WriteAudit = (event: AuditEvent) => Promise<void>

/**
 * For what happens often and outside of a transaction, sign-ins and tokens: one writer per process. What comes while it
 * writes goes with the next statement, so that a crowd waits for one commit each, and not with ten connections in hand.
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

export interface Anchor {
  readonly seq: number
  readonly hash: string
}

export interface Verdict {
  readonly rows: number
  /** The end of the chain, to be kept elsewhere. */
  readonly end?: Anchor
  /** What is wrong, and where first. */
  readonly fault?: string
}

const page = 5000

/** Reads the whole chain and computes it anew. With an anchor, the row of that number must still have that hash. */
export async function verifyAudit(db: Db, anchor?: Anchor): Promise<Verdict> {
  let last: sql.ChainedRow | undefined
  let met = anchor === undefined
  for (;;) {
    const rows = await sql.findChain(db, last?.seq ?? 0, page)
    for (const row of rows) {
      const fault = faultOf(row, last)
      if (fault !== undefined) return { rows: last?.seq ?? 0, fault }
      if (row.seq === anchor?.seq) {
        if (row.hash.toString('hex') !== anchor.hash)
          return { rows: row.seq, fault: `row ${row.seq} is not the anchored one` }
        met = true
      }
      last = row
    }
    if (rows.length < page) break
  }
  if (!met) return { rows: last?.seq ?? 0, fault: `row ${anchor!.seq}, which the anchor names, is missing` }
  return { rows: last?.seq ?? 0, ...(last && { end: { seq: last.seq, hash: last.hash.toString('hex') } }) }
}

function faultOf(row: sql.ChainedRow, last: sql.ChainedRow | undefined): string | undefined {
  const expected = (last?.seq ?? 0) + 1
  if (row.seq !== expected) return `row ${expected} is missing`
  if (!row.previous.equals(last?.hash ?? Buffer.alloc(32))) return `row ${row.seq} does not follow row ${row.seq - 1}`
  if (!row.hash.equals(hashOf(row))) return `row ${row.seq} was changed`
  return undefined
}

/** As the trigger computes it: the hash before, then each field with its length in bytes. */
function hashOf(row: sql.ChainedRow): Buffer {
  const fields = [row.seq, row.at.getTime(), row.actor, row.client, row.session, row.address, row.action, row.object]
  const hash = createHash('sha256').update(row.previous)
  for (const field of [...fields, row.outcome, row.detail, row.supportId].map(String)) {
    hash.update(`${Buffer.byteLength(field)}:${field}`)
  }
  return hash.digest()
}

/** The end of the log, to be written where the log's keeper cannot change it. */
export async function auditAnchor(db: Db): Promise<Anchor | undefined> {
  const last = await sql.findLastLink(db)
  return last && { seq: last.seq, hash: last.hash.toString('hex') }
}

export { audit, type AuditEvent } from '../../core/access/audit.ts'
export { findEvents, type AuditRow } from '../../core/access/audit.sql.ts'
