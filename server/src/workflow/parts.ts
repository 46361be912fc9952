/** What the whole area is handed by the composition root, and what it shares. */
import type { Send } from './jobs/mail.ts'
import type { ExportRequest, Infer } from '@kontor/contract'
import type { Targets } from '../common/api.ts'
import type { Caller, Context, Services } from '../core/context.ts'
import type { Mounted } from '../core/batch/handlers.ts'
import type { Models } from './definitions/definitions.ts'

/** Who started a process, as it was then. */
export interface Principal {
  readonly userId: string
  readonly userName: string
  readonly roles: readonly string[]
}

export interface WorkflowNeeds {
  /** What workflows can be about. */
  readonly targets: Targets
  /** The resources of all areas by address: jobs change objects as the interface would. */
  resources(): ReadonlyMap<string, Mounted>
  /** Which required values products or channels lack. */
  missingValues(ctx: Context, asked: Readonly<Record<string, readonly string[]>>): Promise<readonly Missing[]>
  /** Orders the previews of assets anew, and tells of how many. */
  makePreviews(ctx: Context, assetIds: readonly number[]): Promise<number>
  /** Orders an export as the caller, and gives its id. */
  orderExport(ctx: Context, request: Infer<typeof ExportRequest>): Promise<string>
  /** What a user may do now; undefined when there is no such user any more, or they may not sign in. */
  rolesOf(principal: Principal): Promise<ReadonlySet<string> | undefined>
  /** Whether there is such a user. */
  exists(db: Context['db'], userName: string): Promise<boolean>
  /** The mail addresses of users that have one. */
  addressesOf(db: Context['db'], users: readonly string[]): Promise<ReadonlyMap<string, string>>
}

export interface Missing {
  readonly object: string
  readonly locale: string
  readonly attr: string
}

export interface Parts extends WorkflowNeeds {
  readonly services: Services
  readonly models: Models
  /** Sends mail, when it is set up. */
  readonly send: Send | undefined
}

/** Who a process acts as: its starter, with the roles they have now. */
export async function actingAs({ services, rolesOf }: Parts, principal: Principal): Promise<Caller | undefined> {
  const roles = await rolesOf(principal)
  if (!roles) return undefined
  const { userId, userName } = principal
  return { userId, userName, roles, permissions: await services.permissionsOf(roles) }
}
