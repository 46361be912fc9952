/**
 * POST /cm/where-used/retrieve: the uses of objects, by links in both directions and by other references between areas.
 */
import type { cm, Infer, Use } from '@kontor/contract'
import { mayAct, type NamedUse, type Usage, usesOf } from '../../common/api.ts'
import type { RouteHandler } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'

export const retrieveWhereUsed =
  (usage: Usage): RouteHandler<typeof cm.routes.retrieveWhereUsed> =>
  async (ctx, { body: { dataType, tids, ids = [] } }) => {
    const kind = usage.kinds.get(dataType)
    if (!kind) {
      const known = [...usage.kinds.keys()].join(', ')
      throw new Problem('invalid', `/whereUsedRequest/dataType: ${dataType} is not a kind of object; expected ${known}`)
    }
    const names = tids ?? ids
    if (names.length === 0) throw new Problem('invalid', '/whereUsedRequest: names no object; send tids or ids')
    const found = (await kind.describe(ctx.db, tids ? [] : ids, tids)).filter((row) =>
      mayAct(ctx.caller, 'read', kind.like ?? dataType, row),
    )
    if (found.length === 0) throw new Problem('notFound', `none of these exists: ${dataType} ${names.join(', ')}`)
    const uses = await usesOf(
      ctx,
      usage,
      dataType,
      found.map(({ id }) => ({ topId: id, id })),
    )
    return {
      objects: found.map(({ id, tid, path }) => {
        const { total, named } = uses(id)
        return { id, tid, path, total, uses: named.map(toUse) }
      }),
    }
  }

const toUse = ({ dataType, kind, linkType, keeps, row }: NamedUse): Infer<typeof Use> => ({
  dataType,
  id: row.id,
  tid: row.tid,
  path: row.path,
  kind,
  ...(linkType !== '' && { linkType }),
  keeps,
})
