/**
 * Writes the audit log: one row per event that somebody may have to account for.
 *
 * The identity area records sign-ins, tokens, users and roles where they happen; settle.ts records deletions and broken locks
 * for all areas. Other commands record themselves: `ctx.audit` in a batch, `auditBy` elsewhere.
 */
import type { Db } from '../../adapters/postgres/db.ts'
import { insertEvents, type NewAuditRow } from './audit.sql.ts'
import type { AuditedAction, Caller } from '../context.ts'

export interface AuditEvent extends AuditedAction {
  /** The user name of the actor. */
  readonly actor?: string
  readonly client?: string | undefined
  readonly session?: string | undefined
  readonly address?: string | undefined
  readonly supportId?: string | undefined
}

/** Call it last in a transaction: writers of the log wait for each other until they commit. */
export const audit = (db: Db, event: AuditEvent) => insertEvents(db, [toRow(event)])

/** Records actions of a caller. In a batch, use `ctx.audit`, which writes at the end. */
export const auditBy = (db: Db, caller: Caller, ...events: readonly AuditedAction[]) =>
  insertEvents(
    db,
    events.map((event) => toRow({ ...byCaller(caller), ...event })),
  )

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

/** Names come from clients: cut to a plausible length, without characters that PostgreSQL cannot store. */
const clean = (text = '') => text.slice(0, 300).replaceAll('\0', '\ufffd').toWellFormed()
