/** Where objects are used: by links from either end, by product extension objects that extend or are made by them. */
import type { cm, Infer, Use } from '@kontor/contract'
import { keywordTarget, linkKinds, linksOf, type Target, type TargetRow, type Targets } from '../../common/api.ts'
import type { Context } from '../../core/context.ts'
import { allows, allowsAt } from '../../core/permissions.ts'
import type { RouteHandler } from '../../core/routes.ts'
import { Problem } from '../../errors.ts'
import { findMadeFor, findTemplates } from '../../peo/api.ts'

type UseMessage = Infer<typeof Use>
const mostListed = 1000

/** An object that uses another one, before it is described. */
interface Found {
  readonly ofId: number
  readonly dataType: string
  readonly id: number
  readonly kind: string
  readonly linkType?: string
}

const templateTarget: Pick<Target, 'lock'> = {
  lock: async (db, { ids, tids }) =>
    (await findTemplates(db))
      .filter(({ id, tid }) => ids.includes(id) || tids.includes(tid))
      .map(({ id, tid, name }) => ({ id, tid, path: name })),
}

export function retrieveWhereUsed(others: Targets): RouteHandler<typeof cm.routes.retrieveWhereUsed> {
  const targets: Targets = new Map([...others, ['keyword', keywordTarget]])
  return async (ctx, { body: { dataType, tids, ids } }) => {
    const target = dataType === 'template' ? templateTarget : targets.get(dataType)
    if (!target) {
      const known = [...targets.keys(), 'template'].join(', ')
      throw new Problem('invalid', `/whereUsedRequest/dataType: ${dataType} is no kind of object; expected ${known}`)
    }
    if (!tids && !ids) throw new Problem('invalid', '/whereUsedRequest: names no object; send tids or ids')
    const by = tids ? { tids, ids: [] } : { tids: [], ids: ids! }
    const found = (await target.lock(ctx.db, by)).filter((row) => mayRead(ctx, dataType, row))
    if (found.length === 0)
      throw new Problem('notFound', `none of these exists: ${dataType} ${(tids ?? ids)!.join(', ')}`)
    const usesOf = await findUses(ctx, targets, dataType, found)
    return { objects: found.map(({ id, tid, path }) => ({ id, tid, path, ...usesOf(id) })) }
  }
}

function mayRead({ caller: { permissions } }: Context, dataType: string, { scope }: TargetRow): boolean {
  const kind = dataType === 'template' ? 'peo' : dataType
  return scope === undefined ? allows(permissions, 'read', kind) : allowsAt(permissions, 'read', kind, scope)
}

async function findUses(ctx: Context, targets: Targets, dataType: string, objects: readonly TargetRow[]) {
  const ids = new Set(objects.map(({ id }) => id))
  const made = dataType === 'product' || dataType === 'template' ? await findMadeFor(ctx.db, dataType, [...ids]) : []
  const kind = dataType === 'product' ? 'extends' : 'template'
  const uses: Found[] = [
    ...made.map(({ ofId, id }) => ({ ofId, id, dataType: 'peo', kind })),
    ...(await linksOf(ctx.db, [...ids])).flatMap((link) => endsOf(link, ids)),
  ]
  const byObject = Map.groupBy(uses, ({ ofId }) => ofId)
  const listed = [...byObject.values()].flatMap((some) => some.slice(0, mostListed))
  const described = new Map<number, TargetRow>()
  for (const [other, some] of Map.groupBy(listed, (use) => use.dataType)) {
    const rows = (await targets.get(other)?.describe(ctx.db, [...new Set(some.map(({ id }) => id))])) ?? []
    for (const row of rows) if (mayRead(ctx, other, row)) described.set(row.id, row)
  }
  return (id: number): { total: number; uses: UseMessage[] } => {
    const own = byObject.get(id) ?? []
    return { total: own.length, uses: own.slice(0, mostListed).flatMap((use) => toUse(use, described.get(use.id))) }
  }
}

/** The other end of a link; where both ends were asked about, each is the other's. */
function endsOf(link: Awaited<ReturnType<typeof linksOf>>[number], ids: ReadonlySet<number>): Found[] {
  const { from, to } = linkKinds.get(link.kind)!
  const common = { kind: link.kind, linkType: link.type }
  return [
    ...(ids.has(link.fromId) ? [{ ...common, ofId: link.fromId, id: link.toId, dataType: to.dataType }] : []),
    ...(ids.has(link.toId) ? [{ ...common, ofId: link.toId, id: link.fromId, dataType: from.dataType }] : []),
  ]
}

function toUse({ dataType, kind, linkType }: Found, row: TargetRow | undefined): UseMessage[] {
  if (!row) return []
  return [{ dataType, id: row.id, tid: row.tid, path: row.path, kind, ...(linkType && { linkType }) }]
}
