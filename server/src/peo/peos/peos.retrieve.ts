/** query and retrieve of product extension objects, with stored or effective values. */
import { type Infer, type Long, type peo, type PeoQuery, type PeoRequest, schemaVersion } from '@kontor/contract'
import { stampsOf, toMeta } from '../../common/api.ts'
import type { Context } from '../../core/context.ts'
import { replyMeta } from '../../core/http/reply.ts'
import type { RouteHandler } from '../../core/http/routes.ts'
import { checkPeriod } from '../../core/period.ts'
import { Problem } from '../../errors.ts'
import { allowsAt, rightsAt } from '../../core/access/permissions.ts'
import { type StoredValues, toVal, type ValMessage, visibleOf } from '../../values/api.ts'
import { type ProductView } from '../../pim/api.ts'
import { findTemplates } from '../templates/templates.sql.ts'
import { effectiveValues, toVals } from './peos.effective.ts'
import type { PeoMessage, PeoNeeds } from './peos.persist.ts'
import * as rows from './peos.sql.ts'
import { cut } from '../../core/batch/paging.ts'

type Request = Infer<typeof PeoRequest>
const pageSize = 1000

export async function queryPeos(
  { db, caller, paging }: Context,
  query: Infer<typeof PeoQuery>,
): Promise<{ tids: string[] }> {
  checkPeriod('/peoQuery', query)
  const found = await rows.queryPeos(
    db,
    {
      from: toDate('modifiedFrom', query.modifiedFrom),
      until: toDate('modifiedUntil', query.modifiedUntil),
      names: query.names,
      project: query.tidProject,
      product: query.tidProduct,
      withChildren: query.withChildren ?? true,
      ofLinkedProducts: query.considerLinkRelation ?? false,
    },
    caller,
    paging,
  )
  if (found.length === 0 && !paging?.after)
    throw new Problem('notFound', 'no product extension object matches the query')
  return { tids: cut(paging, found).map(({ tid }) => tid) }
}

/** PostgreSQL has no year 0. */
const anyDate = /^(?!0000)\d{4}-\d\d-\d\d(?<time>T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(?<zone>Z|[+-]\d\d:?\d\d)?)?$/

/** Dates without a time zone are UTC. */
function toDate(field: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const { time, zone } = anyDate.exec(text)?.groups ?? { time: undefined, zone: 'none' }
  const date = zone === 'none' ? new Date(Number.NaN) : new Date(time && !zone ? `${text}Z` : text)
  if (!Number.isNaN(date.getTime())) return date.toISOString()
  throw new Problem('invalid', `/peoQuery/${field}: ${text} is not a date; expected one like 2024-02-25T01:00:00.000`)
}

/** Converts the objects of a page to messages; created once for all pages. */
type ToMessages = (page: readonly rows.PeoDetails[]) => Promise<(row: rows.PeoDetails) => PeoMessage>

export async function retrievePeos(ctx: Context, needs: PeoNeeds, request: Request) {
  return { peos: stream(ctx, demandNames(request), request.namesOnly ? namesOnly : stored(ctx, needs, request)) }
}

/** POST /peos/values/retrieve */
export async function retrieveValues(ctx: Context, needs: PeoNeeds, request: Request) {
  return { peos: stream(ctx, demandNames(request), effective(ctx, needs, request)) }
}

/** POST /peos: all objects if none is named. */
export const listPeos: RouteHandler<typeof peo.routes.listPeos> = async (ctx, { body = {} }) => {
  const names = body.tids || body.ids ? demandNames(body) : await rows.listTids(ctx.db, ctx.caller)
  const found: PeoMessage[] = []
  if (names.length > 0) for await (const one of stream(ctx, names, namesOnly)) found.push(one)
  const meta = replyMeta(ctx.config, { itemInformationType: 'peo' })
  return { schemaVersion, meta, peos: { peo: found } }
}

function demandNames({ tids, ids }: Request): readonly (string | Long)[] {
  if (!tids && !ids) throw new Problem('invalid', '/peoRequest: names no object; send tids or ids')
  return [...new Set<string | Long>(tids ?? ids)]
}

async function* stream({ db, caller }: Context, names: readonly (string | Long)[], toMessages: ToMessages) {
  const by = typeof names[0] === 'string' ? 'tid' : 'id'
  let any = false
  for (let from = 0; from < names.length; from += pageSize) {
    const asked = names.slice(from, from + pageSize)
    const found = await rows.findPeos(db, by === 'tid' ? { tids: asked as string[] } : { ids: asked as Long[] }, caller)
    const byName = new Map<string | Long, rows.PeoDetails>(found.map((row) => [row[by], row]))
    const page = asked.flatMap((name) => byName.get(name) ?? [])
    const toMessage = await toMessages(page)
    for (const row of page) {
      any = true
      yield toMessage(row)
    }
  }
  if (!any) throw new Problem('notFound', `no peo has the ${by} ${names.slice(0, 10).join(', ')}`)
}

const namesOnly: ToMessages = async () => (row) => ({ name: row.name, id: row.id, tid: row.tid })

const stored =
  (ctx: Context, { products }: PeoNeeds, request: Request): ToMessages =>
  async (page) => {
    const views = await products(
      ctx,
      page.map(({ productId }) => productId),
    )
    return (row) => toPeo(ctx, row, ownVals(row.vals, views.get(row.productId)), request)
  }

const effective =
  (ctx: Context, { products }: PeoNeeds, request: Request): ToMessages =>
  async (page) => {
    const templates = new Map((await findTemplates(ctx.db)).map((row) => [row.id, row]))
    const views = await products(
      ctx,
      page.map(({ productId }) => productId),
    )
    return (row) => {
      const product = views.get(row.productId)
      const val = product ? toVals(effectiveValues(row, templates.get(row.templateId)!, product), product) : []
      return toPeo(ctx, row, val, request)
    }
  }

function ownVals(vals: StoredValues, product: ProductView | undefined): ValMessage[] {
  return Object.entries(vals).flatMap(([key, value]) => {
    const rule = product?.viewRule(key)
    return rule ? (product!.visible(toVal(rule, value)) ?? []) : []
  })
}

function toPeo({ caller }: Context, row: rows.PeoDetails, vals: ValMessage[], { withMetadata }: Request): PeoMessage {
  const rights = rightsAt(
    caller.permissions,
    'peo',
    row.nodes.map(({ path }) => path),
  )
  const val = vals.flatMap((one) => visibleOf(one, rights) ?? [])
  const nodes = row.nodes.filter(({ path }) => allowsAt(caller.permissions, 'read', 'project', path))
  return {
    ...(withMetadata && { meta: toMeta(stampsOf(row), row.meta, rights) }),
    name: row.name,
    ...(val.length > 0 && { vals: { val } }),
    ...(nodes.length > 0 && { nodes: { node: nodes.map(({ tid, id }) => ({ tid, id })) } }),
    ...identityOf(row),
  }
}

/** The identifying fields of an object, included in every message; its product only for those who may read it. */
export const identityOf = (row: Pick<rows.PeoDetails, keyof rows.PlacedPeo & keyof rows.PeoDetails>) => ({
  default: String(row.isDefault),
  id: row.id,
  tid: row.tid,
  ...(row.ofReadable && { product: row.productTid, productId: row.productId, productTid: row.productTid }),
  template: row.template,
  templateId: row.templateId,
  templateTid: row.templateTid,
})
