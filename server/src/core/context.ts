/** The context of a handler: the database (a transaction when it writes), the caller, and functions to record changes. */
import type { EventKind } from '@kontor/contract'
import type { Database, Db } from '../adapters/postgres/db.ts'
import type { Replica } from '../adapters/postgres/replica.ts'
import type { Tracing } from '../adapters/tracing/tracing.ts'
import type { Config } from '../config.ts'
import type { Problem } from '../errors.ts'
import type { Gone, OutboxRow } from './outbox/outbox.ts'
import type { Permissions } from './access/permissions.ts'

/** A page of a query (batch/paging.ts). */
export interface Paging {
  /** Only objects behind this one; 0 for the first page. */
  readonly after: number
  readonly count: number
  /** Announces that objects follow behind this one. */
  continues(after: number): void
}

export interface Caller {
  readonly userId: string
  readonly userName: string
  readonly roles: ReadonlySet<string>
  /** The permissions of these roles. */
  readonly permissions: Permissions
  readonly clientId?: string
  readonly sessionId?: string
  /** Whether the call was made with a personal token, which cannot change the account of its owner. */
  readonly personal?: boolean
  /** With `Kontor-View-As`: the user whose roles and permissions these are. */
  readonly viewAs?: string
  /** The network address of the request, and its id in the log. */
  readonly address?: string
  readonly supportId?: string
}

/**
 * The user whom stored work acts for: a run, a transfer, a process, a webhook or a signed URL. It has no roles, because
 * the work has to ask for the present ones each time it acts (`callerNow`).
 */
export interface StoredCaller {
  readonly userId: string
  readonly userName: string
  /** An external identity provider may report only some roles of a user to this client. */
  readonly clientId?: string
  readonly viewAs?: string
}

export const toStored = ({ userId, userName, clientId, viewAs }: Caller): StoredCaller => ({
  userId,
  userName,
  ...(clientId !== undefined && { clientId }),
  ...(viewAs !== undefined && { viewAs }),
})

/** An object and the root whose deletion deletes it: the channel at the top of its tree, or itself. */
export interface Part {
  readonly topId: number
  readonly id: number
}
/**
 * Returns the reason why `topId` cannot be deleted, or undefined. `what` is the subject of the message. `gone` are objects
 * that the same batch has deleted already, which no longer block it.
 */
type DeletionBlockers = (topId: number, what: string, gone: Pick<ReadonlySet<number>, 'has'>) => Problem | undefined

/** Services that the whole server shares. */
export interface Services {
  readonly database: Database
  /** Only for calls that allow it: its data are a little behind. */
  readonly replica?: Replica | undefined
  readonly tracing?: Tracing | undefined
  readonly config: Config
  /**
   * The user of stored work with their present roles and permissions; throws a Problem `forbidden` if the user is gone or
   * disabled. Long work asks again between its parts.
   */
  callerNow(stored: StoredCaller): Promise<Caller>
  /** Announces committed rows, so that readers in this process need not poll the outbox for them. */
  committed?(rows: readonly OutboxRow[]): void
  /** Finds the references that block deletion, once for a whole batch. */
  deletionBlockers(
    ctx: Pick<Context, 'db' | 'caller'>,
    dataType: string,
    parts: readonly Part[],
  ): Promise<DeletionBlockers>
}

/** A changed object. It becomes a history record and an outbox row in the same transaction. */
export interface Change {
  readonly dataType: EventKind
  readonly id: number
  readonly event: 'CREATE' | 'UPDATE' | 'DELETE'
  /** A more precise name than the event: move, copy, … */
  readonly action?: string
  /** The changed fields. */
  readonly changes?: Readonly<Record<string, unknown>>
  /** Of a deleted object, because nobody can look it up any more. */
  readonly gone?: Gone
  /** The name of the rule that made the change. */
  readonly rule?: string
}

/** An action for the audit log. The caller is known from the context. */
export interface AuditedAction {
  /** `sign-in`, `token.refresh`, `user.create`, … */
  readonly action: string
  /** `user kim`, `role editor`. */
  readonly object?: string
  readonly outcome?: 'success' | 'failure'
  readonly detail?: Readonly<Record<string, unknown>>
}

export interface Context {
  readonly db: Db
  readonly caller: Caller
  readonly config: Config
  /** Records a change. One statement writes all changes of a batch at its end. */
  record(change: Change): void
  /** Finds the references that block the deletion of objects. */
  deletionBlockers(dataType: string, parts: readonly Part[]): Promise<DeletionBlockers>
  /** Records an action for the audit log. Written last, because writers of the log wait for each other. */
  audit(event: AuditedAction): void
  /** From `If-Match` of a persist: the object must still have one of these ETags. */
  readonly ifMatch?: readonly string[] | undefined
  /** In a query: the page that the caller wants; everything if absent. */
  readonly paging?: Paging | undefined
  /** In a retrieve: sets the ETag of the reply for a single object, before anything is sent. */
  tag?(etag: string): void
}
