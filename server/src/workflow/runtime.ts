/** Dependencies that the composition root passes to the area, and parts that the area shares. */
import type { Send } from '../adapters/mail/mail.ts'
import type { ExportRequest, Infer } from '@kontor/contract'
import type { Targets } from '../common/api.ts'
import type { Context, Services } from '../core/context.ts'
import type { Mounted } from '../core/batch/handlers.ts'
import type { Models } from './definitions/definitions.ts'
import type { Engine } from './engine/threaded.ts'

export interface WorkflowNeeds {
  /** Objects that can be linked to workflows. */
  readonly targets: Targets
  /** The resources of all areas by path; jobs change objects through them, as API calls do. */
  resources(): ReadonlyMap<string, Mounted>
  /** The required values that products or channels lack. */
  missingValues(ctx: Context, request: Readonly<Record<string, readonly string[]>>): Promise<readonly Missing[]>
  /** Queues the previews of assets to be generated again; returns their number. */
  makePreviews(ctx: Context, assetIds: readonly number[]): Promise<number>
  /** Starts an export as the caller; returns its id. */
  orderExport(ctx: Context, request: Infer<typeof ExportRequest>): Promise<string>
  /** Whether the user exists. */
  exists(db: Context['db'], userName: string): Promise<boolean>
  /** The mail addresses of those users who have one. */
  addressesOf(db: Context['db'], users: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The names of enabled users of these names or with one of these roles. */
  peopleWith(
    db: Context['db'],
    users: readonly string[],
    roles: readonly string[],
    most: number,
  ): Promise<readonly string[]>
}

export interface Missing {
  readonly object: string
  readonly locale: string
  readonly attr: string
}

export interface Runtime extends WorkflowNeeds {
  readonly services: Services
  readonly models: Models
  readonly engine: Engine
  /** Sends mail; undefined if SMTP is not configured. */
  readonly send: Send | undefined
}
