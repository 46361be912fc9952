/** /pim/attribute-definitions/usage: how many nodes and objects that the caller may read a change of a definition would affect. */
import type { pim } from '@kontor/contract'
import type { RouteHandler } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import type { Models } from '../model/model.ts'
import { findValues } from '../model/uses.sql.ts'
import { visibleTo } from '../nodes/nodes.visible.ts'
import { columnKey, definitionView } from '../../values/api.ts'

const most = 100

export const attributeUsage =
  (models: Models): RouteHandler<typeof pim.routes.attributeUsage> =>
  async (ctx, { body: { tids } }) => {
    if (tids.length > most) throw new Problem('invalid', `/attributeUsageRequest/tids: at most ${most} at once`)
    const model = await models.load(ctx.db)
    const { isVisible } = definitionView(ctx.caller.permissions, 'product')
    const known = tids.flatMap((tid) => model.definition(tid) ?? []).filter(isVisible)
    const isVisibleNode = visibleTo(ctx.caller)
    // A table has no values of its own: count those of its first column.
    const sought = known.map(({ tid, columns: [column] }) => ({
      attribute: column === undefined ? tid : columnKey(tid, column),
    }))
    const uses = await findValues(ctx, sought)
    return {
      attributes: known.map(({ id, tid }, i) => ({
        tid,
        nodes: model.attributesOfDefinition(id).filter(({ nodeId }) => isVisibleNode(model.node(nodeId)!)).length,
        objects: uses[i]?.count ?? 0,
      })),
    }
  }
