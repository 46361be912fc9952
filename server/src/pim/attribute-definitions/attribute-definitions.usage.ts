/** /pim/attribute-definitions/usage: how many nodes and objects a change of a definition would affect. */
import type { pim } from '@kontor/contract'
import type { RouteHandler } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import type { Models } from '../model/model.ts'
import { findValues } from '../model/uses.sql.ts'
import { columnKey } from '../../values/api.ts'

const most = 100

export const attributeUsage =
  (models: Models): RouteHandler<typeof pim.routes.attributeUsage> =>
  async ({ db }, { body: { tids } }) => {
    if (tids.length > most) throw new Problem('invalid', `/attributeUsageRequest/tids: at most ${most} at once`)
    const model = await models.load(db)
    const known = tids.flatMap((tid) => model.definition(tid) ?? [])
    // A table has no values of its own: count those of its first column.
    const sought = known.map(({ tid, columns: [column] }) => ({
      attribute: column === undefined ? tid : columnKey(tid, column),
    }))
    const uses = await findValues(db, sought)
    return {
      attributes: known.map(({ id, tid }, i) => ({
        tid,
        nodes: model.attributesOfDefinition(id).length,
        objects: uses[i]?.count ?? 0,
      })),
    }
  }
