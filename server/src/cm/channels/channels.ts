/** The rules of /cm/channels: the handlers of its verbs, and the query. */
import type { ChannelQuery, cm, Infer } from '@kontor/contract'
import type { Target } from '../../common/api.ts'
import type { Context } from '../../core/context.ts'
import type { Handlers } from '../../core/batch/handlers.ts'
import { pageOf } from '../../core/batch/paging.ts'
import { nameOf } from '../../core/batch/identify.ts'
import { Problem } from '../../errors.ts'
import { persistChannels } from './channels.persist.ts'
import { type ChannelNeeds, retrieveChannels } from './channels.retrieve.ts'
import * as rows from './channels.sql.ts'

export const channels = (needs: ChannelNeeds): Handlers<typeof cm.resources.channels> => ({
  query: async (ctx, request) => ({ tids: await queryChannels(ctx, request) }),
  retrieve: (ctx, request) => retrieveChannels(ctx, needs, request),
  persist: persistChannels,
})

/** Channels as link targets. */
export const channelTarget: Target = {
  lock: (db, { ids, tids }) => rows.lockTargets(db, ids, tids),
  describe: rows.describeTargets,
}

const defaultLevel = 100

async function queryChannels({ db, caller, paging }: Context, query: Infer<typeof ChannelQuery>): Promise<string[]> {
  const tidsOf = (all: readonly { id: number; tid: string }[]) => pageOf(paging, all).map(({ tid }) => tid)
  if (query.root) return tidsOf(await rows.listRoots(db, caller))
  const { tid, id, withChildren = true } = query
  if (tid === undefined && id === undefined)
    throw new Problem('invalid', '/channelQuery: names no channel; send tid or id, or root=true')
  const level = withChildren ? (query.level ?? defaultLevel) : 0
  if (level < 0) throw new Problem('invalid', `/channelQuery/level: ${level} is not a level; expected 0 or more`)
  const tree = await rows.findTree(db, tid === undefined ? { ids: [id!] } : { tids: [tid] }, level, caller)
  if (tree.length === 0) throw new Problem('notFound', `no project has the ${nameOf(query)}`)
  return tidsOf(inOrder(tree))
}

/** Pre-order: each parent is followed by its descendants. */
function inOrder([top, ...others]: readonly rows.TreeRow[]): rows.TreeRow[] {
  const childrenOf = Map.groupBy(others, ({ parentId }) => parentId)
  const ordered: rows.TreeRow[] = []
  const pending = [top!]
  for (let row = pending.pop(); row; row = pending.pop()) {
    ordered.push(row)
    pending.push(...(childrenOf.get(row.id) ?? []).toReversed())
  }
  return ordered
}
