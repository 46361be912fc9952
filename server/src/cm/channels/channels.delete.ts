/**
 * Deletes channels. Channels in use or with channels below them are refused, unless `force` deletes the whole subtree.
 */
import { because } from '@kontor/contract'
import type { Outcome } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import type { ActionValue } from '../../core/batch/handlers.ts'
import { finder, nameOf, namesOf } from '../../core/batch/identify.ts'
import { allowsAt } from '../../core/access/permissions.ts'
import { metaOf } from '../../core/batch/settle.ts'
import { Problem } from '../../errors.ts'
import * as rows from './channels.sql.ts'

export async function deleteChannels(ctx: Context, actions: readonly ActionValue[]): Promise<Outcome[]> {
  await rows.lockTree(ctx.db)
  const { ids, tids } = namesOf(actions)
  const subtrees = await rows.findSubtrees(ctx.db, ids, tids, ctx.caller)
  const find = finder(
    'project',
    subtrees.filter(({ id, topId }) => id === topId),
  )
  const belowOf = Map.groupBy(subtrees, ({ topId }) => topId)
  // child channels count as references, so that nobody deletes a tree by accident
  const blockers = await ctx.deletionBlockers(
    'project',
    subtrees.filter(({ id, topId }) => id === topId),
  )
  const gone = new Set<number>()
  const outcomes = actions.map((action): Outcome => {
    const top = find(action)
    if (top instanceof Problem) return top
    if (gone.has(top.id)) return new Problem('notFound', `no project has the ${nameOf(action)}`)
    if (!allowsAt(ctx.caller.permissions, 'delete', 'project', top.path))
      return new Problem('forbidden', because('mayNotChannel', { action: 'delete', path: top.path }))
    const isForced = metaOf(action).get('force') === 'true'
    const refusal = isForced ? undefined : blockers(top.id, `the project ${top.tid}`, gone)
    if (refusal) return refusal
    for (const { id, tid, name, path } of belowOf.get(top.id)!.filter((one) => !gone.has(one.id))) {
      gone.add(id)
      ctx.record({ dataType: 'project', id, event: 'DELETE', changes: { tid, name }, gone: { tid, scopes: [path] } })
    }
    return { action: 'delete', id: top.id, tid: top.tid }
  })
  await rows.deleteChannels(ctx.db, [...gone])
  return outcomes
}
