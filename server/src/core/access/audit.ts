/**
 * Writing the audit log: who did what that somebody may have to answer for, one row per event.
 *
 * Sign-ins, tokens, people and roles are noted where they happen (identity); deletions and broken locks here, for every
 * area at once (settle.ts). Other commands that matter say so themselves: `ctx.audit` in a batch, `auditBy` elsewhere.
 */
import type { Db } from '../../adapters/postgres/db.ts'
import { insertEvents, type NewAuditRow } from './audit.sql.ts'
import type { AuditedAction, Caller } from '../context.ts'

export interface AuditEvent extends AuditedAction {
  /** Who did it, by name. */
  readonly actor?: string
  readonly client?: string
  readonly session?: string
  readonly address?: string
  readonly supportId?: string
}

/** Inside a transaction it should come last: writers of the log wait for each other until they commit. */
export const audit = (db: Db, event: AuditEvent) => insertEvents(db, [toRow(event)])

/** Notes what a caller did. In a batch, `ctx.audit` does it at the end. */
export const auditBy = (db: Db, caller: Caller, ...events: readonly AuditedAction[]) =>
  insertEvents(
    db,
    events.map((event) => toRow({ ...byCaller(caller), ...event })),
  )

/** What the log says of who did it. */
const byCaller = ({ userName, clientId, sessionId, address, supportId }: Caller) =>
  ({ actor: userName, client: clientId, session: sessionId, address, supportId }) satisfies Partial<AuditEvent>

export function toRow(event: AuditEvent): NewAuditRow {
  return {
    action: event.action,
    actor: clean(event.actor),
    client: clean(event.client),
    session: clean(event.session),
    address: clean(event.address),
    object: clean(event.object),
    outcome: event.outcome ?? 'success',
    detail: event.detail === undefined ? '' : JSON.stringify(event.detail),
    supportId: clean(event.supportId),
  }
}

/** Names come from outside: as long as a name may be, and without what PostgreSQL cannot keep. */
const clean = (text = '') => text.slice(0, 300).replaceAll('\0', '\ufffd').toWellFormed()
