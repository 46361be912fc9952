/**
 * The rules of /common/links: relations between two kinds of objects.
 *
 *   <itms type="assetToProduct">                       which kinds
 *     <itms type="Main_Image">                         link type, free text
 *       <itm key="assetTid">A</itm>                    both ends, by tid or by id; a key that is repeated
 *       <itm key="productTid">P</itm>                  links each with each (one to many, many to many)
 *     </itms>
 *   </itms>
 *
 * One record per link. A link that exists already is a success and changes nothing.
 */
import type { common, Infer, Items, Links, Long } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { type Outcome, soundOf } from '../../core/batch.ts'
import type { Context } from '../../core/context.ts'
import type { Handlers } from '../../core/handlers.ts'
import { Problem } from '../../errors.ts'
import * as rows from './links.sql.ts'
import type { TargetRow, Targets } from './targets.ts'

type Group = Infer<typeof Items>

/** One end of a kind of link: what it points at and how its keys begin (`assetTid`, `assetId`). */
export interface End {
  readonly dataType: string
  readonly keys: readonly string[]
}

// prettier-ignore
export const linkKinds = new Map<string, { readonly from: End; readonly to: End }>([
  ['assetToProduct',   { from: { dataType: 'asset', keys: ['asset'] },                    to: { dataType: 'product', keys: ['product'] } }],
  ['assetToProject',   { from: { dataType: 'asset', keys: ['asset'] },                    to: { dataType: 'project', keys: ['project'] } }],
  ['productToProduct', { from: { dataType: 'product', keys: ['sourceProduct', 'product'] }, to: { dataType: 'product', keys: ['targetProduct', 'linkedProduct'] } }],
  ['productToProject', { from: { dataType: 'product', keys: ['product'] },                to: { dataType: 'project', keys: ['project'] } }],
  ['peoToProject',     { from: { dataType: 'peo', keys: ['peo'] },                        to: { dataType: 'project', keys: ['project'] } }],
  ['keywordToAsset',   { from: { dataType: 'keyword', keys: ['keyword'] },                to: { dataType: 'asset', keys: ['asset'] } }],
])

/** How one end of a link is named in a message. */
export type Name = { readonly id: Long } | { readonly tid: string }
interface Pair {
  readonly kind: string
  readonly type: string
  readonly from: Name
  readonly to: Name
  readonly details: Record<string, string>
}

export function links(targets: Targets): Handlers<typeof common.resources.links> {
  return {
    async persist(ctx, groups) {
      const pairs = groups.map(pairsOf)
      const found = await lockEnds(ctx.db, targets, soundOf(pairs.flat()))
      const wanted = pairs.map((group) => group.map((pair) => (pair instanceof Problem ? pair : resolve(pair, found))))
      const settled = await addLinks(ctx, soundOf(wanted.flat()))
      let next = 0
      return wanted.map((group) => group.map((link) => (link instanceof Problem ? link : settled[next++]!)))
    },
  }
}

export type Wanted = rows.NewLink & { details: Record<string, string> }

/** Adds links between objects that are known and locked. */
export async function addLinks(ctx: Context, wanted: readonly Wanted[]): Promise<Outcome[]> {
  if (wanted.length === 0) return []
  const fresh = await rows.insertLinks(ctx.db, wanted, ctx.caller.userName)
  const created = new Map(fresh.map((row) => [identity(row), row.id]))
  return wanted.map((link) => settle(ctx, link, created))
}

/** Removes links. One without a type means those of every type; one that does not exist is refused. */
export async function unlink(
  ctx: Context,
  targets: Targets,
  pairs: readonly (Unlinked | Problem)[],
): Promise<Outcome[]> {
  const found = await lockEnds(ctx.db, targets, soundOf(pairs))
  const wanted = pairs.map((pair) => (pair instanceof Problem ? pair : resolve({ ...pair, details: {} }, found)))
  const anyType = pairs.map((pair) => !(pair instanceof Problem) && pair.anyType)
  const asked = wanted.map((link, i) => (link instanceof Problem ? [] : [{ ...link, anyType: anyType[i]! }]))
  const gone = await rows.deleteLinks(ctx.db, asked.flat())
  for (const link of gone) recordBoth(ctx, link, 'unlink')
  return wanted.map((link, i) => {
    if (link instanceof Problem) return link
    const removed = gone.filter((one) => isPair(one, link) && (anyType[i] || one.type === link.type))
    if (removed.length === 0) return new Problem('notFound', 'no such link exists')
    return { action: 'unlink', details: { links: String(removed.length) } }
  })
}

export type Unlinked = Omit<Pair, 'details'> & { readonly anyType: boolean }
const isPair = (a: rows.NewLink, b: rows.NewLink) => a.kind === b.kind && a.fromId === b.fromId && a.toId === b.toId

const identity = ({ kind, type, fromId, toId }: rows.NewLink) => `${fromId} ${kind} ${toId} ${type}`

/** The first of equal links of a batch is the one that was created. */
function settle(ctx: Context, link: Wanted, created: Map<string, number>): Outcome {
  const details = { ...link.details, linkType: link.type }
  const id = created.get(identity(link))
  if (id === undefined) return { action: 'create', details, description: 'the link exists already' }
  created.delete(identity(link))
  recordBoth(ctx, link, 'link')
  return { action: 'create', id, details }
}

/** A link is a fact about both of its ends. */
function recordBoth(ctx: Context, { kind, type, fromId, toId }: rows.NewLink, action: 'link' | 'unlink'): void {
  const { from, to } = linkKinds.get(kind)!
  const changes = { link: { kind, type, from: fromId, to: toId } }
  ctx.record({ dataType: from.dataType, id: fromId, event: 'UPDATE', action, changes })
  ctx.record({ dataType: to.dataType, id: toId, event: 'UPDATE', action, changes })
}

function pairsOf(group: Group): (Pair | Problem)[] {
  const kind = linkKinds.get(group.type ?? '')
  if (!kind) {
    const known = [...linkKinds.keys()].join(', ')
    return [
      new Problem('invalid', `itms/@type: ${group.type ?? 'nothing'} is no kind of link; expected one of ${known}`),
    ]
  }
  const inner = group.itms ?? []
  if (inner.length === 0) return [new Problem('invalid', 'itms: a group of links holds one itms per link type')]
  return inner.flatMap(({ itm = [], type = '' }): (Pair | Problem)[] => {
    const froms = namesOf(itm, kind.from)
    const tos = namesOf(itm, kind.to)
    const missing = [froms.length === 0 && kind.from, tos.length === 0 && kind.to].filter((end) => end !== false)
    if (missing.length > 0) {
      return [
        new Problem(
          'invalid',
          `itms type ${type}: ${missing.map(({ keys }) => `${keys[0]}Tid or ${keys[0]}Id`).join(' and ')} missing`,
        ),
      ]
    }
    return froms.flatMap((from) =>
      tos.map((to) => ({
        kind: group.type!,
        type,
        from: from.name,
        to: to.name,
        details: { [from.key]: from.value, [to.key]: to.value },
      })),
    )
  })
}

export function namesOf(items: NonNullable<Group['itm']>, { keys }: End) {
  return items.flatMap(({ key = '', value = '' }) => {
    const base = keys.find((word) => key === `${word}Tid` || key === `${word}Id`)
    if (base === undefined) return []
    const byTid = key.endsWith('Tid')
    const name: Name = byTid ? { tid: value } : { id: /^\d{1,15}$/.test(value) ? Number(value) : -1 }
    return [{ key, value, name }]
  })
}

/** By data type, then by `id 7` or `tid x`. */
type Found = ReadonlyMap<string, ReadonlyMap<string, TargetRow>>
export const nameKey = (name: Name) => ('id' in name ? `id ${name.id}` : `tid ${name.tid}`)

/** Finds and locks all ends, with one statement per kind of object. */
async function lockEnds(db: Db, targets: Targets, pairs: readonly Omit<Pair, 'details'>[]): Promise<Found> {
  const ends = pairs.flatMap(({ kind, from, to }) => {
    const ends = linkKinds.get(kind)!
    return [
      { dataType: ends.from.dataType, name: from },
      { dataType: ends.to.dataType, name: to },
    ]
  })
  const found = new Map<string, ReadonlyMap<string, TargetRow>>()
  for (const [dataType, names] of [...Map.groupBy(ends, (end) => end.dataType)].sort()) {
    const ids = names.flatMap(({ name }) => ('id' in name ? [name.id] : []))
    const tids = names.flatMap(({ name }) => ('tid' in name ? [name.tid] : []))
    const locked = (await targets.get(dataType)?.lock(db, { ids, tids })) ?? []
    found.set(
      dataType,
      new Map(
        locked.flatMap((row) => [
          [`id ${row.id}`, row],
          [`tid ${row.tid}`, row],
        ]),
      ),
    )
  }
  return found
}

function resolve({ kind, type, from, to, details }: Pair, found: Found): Wanted | Problem {
  const ends = linkKinds.get(kind)!
  const fromRow = findEnd(found, ends.from, from)
  const toRow = findEnd(found, ends.to, to)
  if (fromRow instanceof Problem) return fromRow
  if (toRow instanceof Problem) return toRow
  return { kind, type, fromId: fromRow.id, toId: toRow.id, details }
}

function findEnd(found: Found, { dataType }: End, name: Name): TargetRow | Problem {
  return found.get(dataType)?.get(nameKey(name)) ?? new Problem('notFound', `no ${dataType} has the ${nameKey(name)}`)
}

/** What the objects are linked to, as messages show it: the key is the tid, the text the path. */
export async function linkedObjects(db: Db, targets: Targets, kind: string, fromIds: readonly number[]) {
  const linked = await rows.linksFrom(db, kind, fromIds)
  const { dataType } = linkKinds.get(kind)!.to
  const described =
    (await targets.get(dataType)?.describe(
      db,
      linked.map(({ toId }) => toId),
    )) ?? []
  const byId = new Map(described.map((row) => [row.id, row]))
  return new Map<number, Infer<typeof Links>>(
    [...Map.groupBy(linked, ({ fromId }) => fromId)].map(([fromId, ends]) => [
      fromId,
      {
        itm: ends.flatMap(({ toId }) =>
          byId.has(toId) ? [{ value: byId.get(toId)!.path, key: byId.get(toId)!.tid }] : [],
        ),
      },
    ]),
  )
}
