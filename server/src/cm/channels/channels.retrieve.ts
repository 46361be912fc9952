/**
 * retrieve of channels: values, linked products and assets, and product extension objects, streamed page by page in the
 * requested order.
 *
 * A page costs one statement for the channels, one for their links, one for their product extension objects and one per
 * kind of linked object, regardless of the number of channels.
 */
import type { ChannelRequest, Infer, Links, Long } from '@kontor/contract'
import { mayAct, stampsOf, type TargetRow, type Targets, toMeta } from '../../common/api.ts'
import type { Context } from '../../core/context.ts'
import { actions, allowsAt, type Rights, rightsAt } from '../../core/access/permissions.ts'
import { Problem } from '../../errors.ts'
import { iconsOf, toTypeRules } from './types/rules.ts'
import { findTypes } from './types/types.sql.ts'
import { loadPeos } from './channels.peos.ts'
import type { ChannelMessage } from './channels.persist.ts'
import * as rows from './channels.sql.ts'

export interface ChannelNeeds {
  /** Kinds of objects that can be linked to channels. */
  readonly targets: Targets
}
type Request = Infer<typeof ChannelRequest>

const pageSize = 1000

export async function retrieveChannels(ctx: Context, needs: ChannelNeeds, request: Request) {
  const { tids, ids } = request
  if (!tids && !ids) throw new Problem('invalid', '/channelRequest: names no channel; send tids or ids')
  return { projects: stream(ctx, needs, request) }
}

async function* stream(ctx: Context, needs: ChannelNeeds, request: Request) {
  const by = request.tids ? 'tid' : 'id'
  const names = [...new Set<string | Long>(request.tids ?? request.ids)]
  const types = new Map(
    (await findTypes(ctx.db)).map((row) => [row.id, { tid: row.tid, icons: iconsOf(row), rules: toTypeRules(row) }]),
  )
  let any = false
  for (let from = 0; from < names.length; from += pageSize) {
    const asked = names.slice(from, from + pageSize)
    const found = await rows.findChannels(
      ctx.db,
      by === 'tid' ? { tids: asked as string[] } : { ids: asked as Long[] },
      ctx.caller,
    )
    const byName = new Map<string | Long, rows.ChannelDetails>(found.map((row) => [row[by], row]))
    const page = asked.flatMap((name) => byName.get(name) ?? [])
    const linksOf = await loadLinks(ctx, needs.targets, page, request)
    const peosOf = await loadPeos(ctx, page, request.includePeoHierarchy ?? false)
    for (const row of page) {
      any = true
      const { rules, ...type } = types.get(row.typeId)!
      const rights = rightsAt(ctx.caller.permissions, 'project', [row.path])
      const val = rules.view(row.vals, rights)
      yield toMessage(ctx, row, rights, type, {
        ...(val.length > 0 && { vals: { val } }),
        ...linksOf(row.id),
        ...peosOf(row.id),
      })
    }
  }
  if (!any) throw new Problem('notFound', `no project has the ${by} ${names.slice(0, 10).join(', ')}`)
}

function toMessage(
  { caller }: Context,
  row: rows.ChannelDetails,
  rights: Rights,
  type: { readonly tid: string; readonly icons: Readonly<Record<string, string>> },
  parts: Pick<ChannelMessage, 'vals' | 'links' | 'peos' | 'peoHierarchy'>,
): ChannelMessage {
  const allowed = actions.filter((action) => allowsAt(caller.permissions, action, 'project', row.path))
  const facts = { id: String(row.id), ...stampsOf(row), ...type.icons, allowedFunctions: allowed.join(',') }
  return {
    name: row.name,
    meta: toMeta(facts, row.meta, rights),
    ...parts,
    id: row.id,
    tid: row.tid,
    ...(row.parentId !== null && { parentId: row.parentId, parentTid: row.parentTid! }),
    type: type.tid,
    orderSequence: row.orderSequence,
  }
}

const reaches = { direct: undefined, withChildren: 'children', withDescendants: 'descendants' } as const

/** The links of a page of channels: their products, and the assets if requested. */
async function loadLinks(ctx: Context, targets: Targets, page: readonly rows.ChannelDetails[], request: Request) {
  const { retrieveLinkedAssets = false, retrieveLinkedAssetsBehavior = 'direct' } = request
  const reach = retrieveLinkedAssets ? reaches[retrieveLinkedAssetsBehavior] : undefined
  const ids = page.map(({ id }) => id)
  const below = reach ? await rows.findBelow(ctx.db, ids, reach, ctx.caller) : []
  const linked = await rows.findLinks(ctx.db, [...ids, ...below.map(({ id }) => id)])
  const byChannel = Map.groupBy(linked, ({ toId }) => toId)
  const belowOf = Map.groupBy(below, ({ topId }) => topId)
  const products = await describe(ctx, targets, 'product', linked, 'productToProject')
  const assets = retrieveLinkedAssets ? await describe(ctx, targets, 'asset', linked, 'assetToProject') : new Map()

  return (id: number): { links?: Infer<typeof Links> } => {
    const own = byChannel.get(id) ?? []
    const reached = [...own, ...(belowOf.get(id) ?? []).flatMap((one) => byChannel.get(one.id) ?? [])]
    const shown = new Set(reached.flatMap(({ fromId }): TargetRow[] => assets.get(fromId) ?? []))
    const itm = [...shown].map(({ tid, path }) => ({ value: path, key: tid }))
    const groups = Map.groupBy(
      own.filter(({ fromId }) => products.has(fromId)),
      ({ type }) => type,
    )
    const itms = [...groups].map(([type, some]) => ({
      itm: some.map(({ fromId }) => ({ value: products.get(fromId)!.tid, key: 'productTid' })),
      ...(type !== '' && { type }),
    }))
    if (itm.length + itms.length === 0) return {}
    return {
      links: { ...(itm.length > 0 && { itm }), ...(itms.length > 0 && { itms: [{ itms, type: 'productToProject' }] }) },
    }
  }
}

/** The linked objects of a kind that are visible to the caller, by id. */
async function describe(
  { db, caller }: Context,
  targets: Targets,
  dataType: string,
  linked: readonly { kind: string; fromId: number }[],
  kind: string,
): Promise<Map<number, TargetRow>> {
  const ids = linked.filter((link) => link.kind === kind).map(({ fromId }) => fromId)
  const found = ids.length === 0 ? [] : ((await targets.get(dataType)?.describe(db, [...new Set(ids)])) ?? [])
  return new Map(found.filter((row) => mayAct(caller, 'read', dataType, row)).map((row) => [row.id, row]))
}
