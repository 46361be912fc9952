/**
 * Check-out and check-in: while one user has an asset checked out, nobody else can change it.
 *
 * The lock is a column of the asset, so it is stored, backed up and rolled back with it.
 */
import { because, type CheckinRequest, type Infer } from '@kontor/contract'
import { inBatch, orProblem, type Outcome, type Services } from '../../core/batch/batch.ts'
import type { Caller, Context } from '../../core/context.ts'
import type { Act, ActionValue } from '../../core/batch/handlers.ts'
import { type Action, allows } from '../../core/access/permissions.ts'
import { Problem } from '../../errors.ts'
import { addressOf, demand, findNamed, type Named, notFound } from '../entries.ts'
import type { EntryRow } from '../entries.sql.ts'
import { writeLocks } from './assets.sql.ts'

/** Returns the next lock holder, or throws a Problem if the transition is not allowed. */
type Decide = (row: EntryRow, caller: Caller) => string | null

const checkout: Decide = (row, { userName }) => {
  if (row.lockedBy === null || row.lockedBy === userName) return userName
  throw new Problem('locked', because('checkedOut', { path: row.path, user: row.lockedBy }))
}

const checkin: Decide = (row, { userName }) => {
  if (row.lockedBy === userName) return null
  if (row.lockedBy === null) throw new Problem('invalid', because('notCheckedOut', { path: row.path }))
  throw new Problem('locked', because('checkedOutOther', { path: row.path, user: row.lockedBy }))
}

const cleanCheckout: Decide = (row, { roles, permissions }) => {
  if (!roles.has('admin') && !allows(permissions, 'administer', 'asset'))
    throw new Problem('forbidden', because('releaseLock'))
  if (row.lockedBy === null) throw new Problem('invalid', because('notCheckedOut', { path: row.path }))
  return null
}

export const lockActions: Record<'checkout' | 'checkin' | 'cleanCheckout', Act> = {
  checkout: (ctx, actions) => settle(ctx, actions, 'checkout', checkout),
  checkin: (ctx, actions) => settle(ctx, actions, 'checkin', checkin),
  cleanCheckout: (ctx, actions) => settle(ctx, actions, 'cleanCheckout', cleanCheckout),
}

interface Extra {
  readonly needs?: Action
  readonly comment?: string
}

async function settle(
  ctx: Context,
  items: readonly (Named | ActionValue)[],
  action: string,
  decide: Decide,
  { needs = 'checkout', comment }: Extra = {},
): Promise<Outcome[]> {
  const addresses = items.map((item) => addressOf(item)!)
  const find = await findNamed(ctx, 'asset', addresses, 'update')
  const changed = new Map<number, EntryRow>()
  const outcomes = addresses.map((address): Outcome =>
    orProblem((): Outcome => {
      const row = find(address)
      if (!row) throw notFound('asset', address)
      demand(ctx, needs, 'asset', row.dirPath)
      const lockedBy = decide(row, ctx.caller)
      if (lockedBy !== row.lockedBy || comment !== undefined) {
        const changes = { lockedBy: { from: row.lockedBy, to: lockedBy }, ...(comment !== undefined && { comment }) }
        ctx.record({ dataType: 'asset', id: row.id, event: 'UPDATE', action, changes })
      }
      changed.set(row.id, Object.assign(row, { lockedBy }))
      return { action, id: row.id, tid: row.tid, path: row.path }
    })(undefined),
  )
  if (changed.size > 0)
    await writeLocks(
      ctx.db,
      [...changed.values()].map(({ id, lockedBy }) => ({ id, lockedBy })),
    )
  return outcomes
}

/** POST /assets/checkin: checks in one asset, with a comment and optionally keeping the lock. */
export async function checkinOne(
  services: Services,
  caller: Caller,
  request: Infer<typeof CheckinRequest>,
): Promise<string> {
  if (!addressOf(request)) throw new Problem('invalid', '/checkinRequest: names no asset; send tid, id or path')
  const { comment = '', keepLock = false } = request
  const decide: Decide = (row, who) => (keepLock ? (checkin(row, who), row.lockedBy) : checkin(row, who))
  const [outcome] = await inBatch(services, caller, (ctx) => settle(ctx, [request], 'checkin', decide, { comment }))
  if (outcome instanceof Problem) throw outcome
  return 'SUCCESS'
}
