/** What a handler is given: the database (a transaction when it writes), the caller, and a place to note what changed. */
import type { Database, Db } from '../adapters/postgres/db.ts'
import type { Config } from '../config.ts'
import type { Problem } from '../errors.ts'
import type { OutboxRow } from './outbox/outbox.ts'
import type { Permissions } from './access/permissions.ts'

export interface Caller {
  readonly userId: string
  readonly userName: string
  readonly roles: ReadonlySet<string>
  /** What these roles allow. */
  readonly permissions: Permissions
  readonly clientId?: string
  readonly sessionId?: string
  /** The network address of the request, and the id under which it is logged. */
  readonly address?: string
  readonly supportId?: string
}

/** An object, and what it goes with when that is deleted: the channel at the top of its tree, or itself. */
export interface Part {
  readonly topId: number
  readonly id: number
}
/**
 * Why the object at the top cannot be deleted: what outside of it needs it, by name. `what` begins the sentence; `gone` are
 * objects that the same batch deleted before.
 */
export type DeletionBlockers = (
  topId: number,
  what: string,
  gone: Pick<ReadonlySet<number>, 'has'>,
) => Problem | undefined

/** What the whole server shares. */
export interface Services {
  readonly database: Database
  readonly config: Config
  /** What roles allow, as of now. */
  permissionsOf(roles: ReadonlySet<string>): Promise<Permissions>
  /** Hears what was just committed, so that nobody in this process has to read it from the outbox first. */
  committed?(rows: readonly OutboxRow[]): void
  /** What keeps objects of a kind from being deleted. Asked once for a whole batch. */
  deletionBlockers(
    ctx: Pick<Context, 'db' | 'caller'>,
    dataType: string,
    parts: readonly Part[],
  ): Promise<DeletionBlockers>
}

/** One object that was changed; becomes a history record and an outbox entry of the same transaction. */
export interface Change {
  readonly dataType: string
  readonly id: number
  readonly event: 'CREATE' | 'UPDATE' | 'DELETE'
  /** What people call it, where it is more than the event: move, copy, … */
  readonly action?: string
  /** What changed, by field. */
  readonly changes?: Readonly<Record<string, unknown>>
}

/** Something that somebody may have to answer for, for the audit log; who did it is known. */
export interface AuditedAction {
  /** What happened: `sign-in`, `token.refresh`, `user.create`, … */
  readonly action: string
  /** What it was done to: `user kim`, `role editor`. */
  readonly object?: string
  readonly outcome?: 'success' | 'failure'
  readonly detail?: Readonly<Record<string, unknown>>
}

export interface Context {
  readonly db: Db
  readonly caller: Caller
  readonly config: Config
  /** Notes a change. All changes of a batch are written with one statement, when every item is settled. */
  record(change: Change): void
  /** What keeps objects of a kind from being deleted. */
  deletionBlockers(dataType: string, parts: readonly Part[]): Promise<DeletionBlockers>
  /** Written last, because writers of the audit log wait for each other. */
  audit(event: AuditedAction): void
  /** What `If-Match` of a persist demands: the object must still have one of these ETags. */
  readonly ifMatch?: readonly string[]
  /** Of a retrieve: gives the reply the ETag of the one object that was asked for, before anything is sent. */
  tag?(etag: string): void
}
