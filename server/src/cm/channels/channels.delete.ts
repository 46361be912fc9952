/** Deletes channels. What others use, or what has channels below it, is refused, unless `force` takes all that along. */
import type { Outcome } from '../../core/batch.ts'
import type { Context } from '../../core/context.ts'
import type { ActionValue } from '../../core/handlers.ts'
import { finder, nameOf, namesOf } from '../../core/identify.ts'
import { allowsAt } from '../../core/permissions.ts'
import { metaOf } from '../../core/settle.ts'
import { Problem } from '../../errors.ts'
import * as rows from './channels.sql.ts'

export async function deleteChannels(ctx: Context, actions: readonly ActionValue[]): Promise<Outcome[]> {
  await rows.lockTree(ctx.db)
  const { ids, tids } = namesOf(actions)
  const doomed = await rows.findDoomed(ctx.db, ids, tids, ctx.caller)
  const find = finder(
    'project',
    doomed.filter(({ id, topId }) => id === topId),
  )
  const belowOf = Map.groupBy(doomed, ({ topId }) => topId)
  const gone = new Set<number>()
  const outcomes = actions.map((action): Outcome => {
    const top = find(action)
    if (top instanceof Problem) return top
    if (gone.has(top.id)) return new Problem('notFound', `no project has the ${nameOf(action)}`)
    if (!allowsAt(ctx.caller.permissions, 'delete', 'project', top.path))
      return new Problem('forbidden', `your roles do not allow to delete ${top.path}`)
    const tree = belowOf.get(top.id)!.filter(({ id }) => !gone.has(id))
    const uses = usesOf(tree)
    if (uses.length > 0 && metaOf(action).get('force') !== 'true')
      return new Problem('inUse', `the channel ${top.tid} has ${uses.join(', ')}; remove these or send meta force=true`)
    for (const { id, tid, name } of tree) {
      gone.add(id)
      ctx.record({ dataType: 'project', id, event: 'DELETE', changes: { tid, name } })
    }
    return { action: 'delete', id: top.id, tid: top.tid }
  })
  await rows.deleteChannels(ctx.db, [...gone])
  return outcomes
}

/** What a channel and those below it hold, in words. */
function usesOf(tree: readonly rows.DoomedChannel[]): string[] {
  const counts = new Map<string, number>()
  for (const { links } of tree) {
    for (const [kind, count] of Object.entries(links)) counts.set(kind, (counts.get(kind) ?? 0) + count)
  }
  const linked = [...counts].map(([kind, count]) => `${count} ${kind} links`)
  return tree.length > 1 ? [`${tree.length - 1} channels below it`, ...linked] : linked
}
