/**
 * The rules of /common/links: relations between two kinds of objects.
 *
 *   <itms type="assetToProduct">                       which kinds
 *     <itms type="Main_Image">                         link type, free text
 *       <itm key="assetTid">A</itm>                    both ends, by tid or by id; repeated keys
 *       <itm key="productTid">P</itm>                  link each with each (one to many, many to many)
 *     </itms>
 *   </itms>
 *
 * One record per link. A link that exists already is a success and changes nothing, except its place among the links of
 * its objects: the `pos` of an item, by which the pictures of a product are ordered; and the quantity of a relation, an item
 * `quantity` of the group (relation-rules.ts).
 */
import { because } from '@kontor/contract'
import type { common, Infer, Items, Links } from '@kontor/contract'
import { orProblem, type Outcome, soundOf } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import type { ActionValue, Handlers } from '../../core/batch/handlers.ts'
import { Problem } from '../../errors.ts'
import { type End, keysOf, linkKinds, type Name, nameKey, namesOf } from './link-kinds.ts'
import { metaText } from '../meta.ts'
import * as rows from './links.sql.ts'
import { quantityOf, type RelationRules, relationRules } from './relation-rules.ts'
import { mayAct, namedBy, nameOf, type TargetRow, type Targets } from './targets.ts'

type Group = Infer<typeof Items>

interface Pair {
  readonly kind: string
  readonly type: string
  readonly from: Name
  readonly to: Name
}
/** A link with the content of its record: the names of the two ends in the message, and the type. */
interface RequestedPair extends Pair {
  readonly details: Readonly<Record<string, string>>
  readonly pos?: number
  readonly quantity?: string
}

/** The most links of one batch: a few long lists of keys would make billions. */
const maxLinks = 20_000

export function links(targets: Targets): Handlers<typeof common.resources.links> {
  return {
    async persist(ctx, groups) {
      const pairs = pairsOfAll(groups)
      const sound = soundOf(pairs.flat())
      const resolve = await lockEnds(ctx, targets, sound, await relationRules(ctx.db, sound))
      const found = pairs.map((group) => group.map((pair) => (pair instanceof Problem ? pair : resolve(pair))))
      const refusalOf = await findRefused(ctx, targets, soundOf(found.flat()))
      const resolved = found.map((group) =>
        group.map((link) => (link instanceof Problem ? link : (refusalOf(link) ?? link))),
      )
      const settled = await addLinks(ctx, soundOf(resolved.flat()))
      let next = 0
      return resolved.map((group) => group.map((link) => (link instanceof Problem ? link : settled[next++]!)))
    },
  }
}

export const linkActions = (targets: Targets): Handlers<(typeof common.resources)['links/actions']> => ({
  perform: {
    unlink: (ctx, actions) => unlink(ctx, targets, actions.map(orProblem((one) => toUnlinked(kindOf(one), one)))),
  },
})

/** `productToProjectLink` -> productToProject */
function kindOf({ dataType = '' }: ActionValue): string {
  const kind = dataType.replace(/Link$/, '')
  if (linkKinds.has(kind)) return kind
  const known = [...linkKinds.keys()].map((one) => `${one}Link`).join(', ')
  throw new Problem('invalid', `@dataType: ${dataType} does not name a kind of link; expected one of ${known}`)
}

// Reading the message

function pairsOfAll(groups: readonly Group[]): (RequestedPair | Problem)[][] {
  let remaining = maxLinks
  return groups.map((group) => {
    const inners = orProblem(innerOf)(group)
    if (inners instanceof Problem) return [inners]
    return inners.flatMap((inner): (RequestedPair | Problem)[] => {
      const made = orProblem(() => pairsOf(group.type!, inner, remaining))(inner)
      if (made instanceof Problem) return [made]
      remaining -= made.length
      return made
    })
  })
}

function innerOf({ type, itms }: Group): readonly Group[] {
  if (!linkKinds.has(type ?? '')) {
    const known = [...linkKinds.keys()].join(', ')
    throw new Problem('invalid', `itms/@type: unknown kind of link ${type ?? '(none)'}; expected one of ${known}`)
  }
  if (!itms)
    throw new Problem(
      'invalid',
      'itms: a group of links holds one itms per link type, as in {"type":"assetToProduct","itms":[{"type":"Main_Image","itm":[…]}]}',
    )
  return itms
}

/** The product of both lists. */
function pairsOf(kind: string, { itm = [], type = '' }: Group, remaining: number): RequestedPair[] {
  const ends = linkKinds.get(kind)!
  const froms = namesOf(itm, ends.from)
  const tos = namesOf(itm, ends.to)
  const missing = [froms.length === 0 && ends.from, tos.length === 0 && ends.to].filter((end) => end !== false)
  if (missing.length > 0) {
    throw new Problem('invalid', `itms type ${type}: ${missing.map(keysOf).join(' and ')} missing`)
  }
  const count = froms.length * tos.length
  if (count > remaining) {
    throw new Problem('invalid', `itms: ${count} links, of ${maxLinks} in a message; send these in one of their own`)
  }
  const quantity = quantityOf(type, itm)
  return froms.flatMap((from) =>
    tos.map((to) => {
      const details = { [from.key]: from.value, [to.key]: to.value, ...(type !== '' && { linkType: type }) }
      const pos = from.pos ?? to.pos
      const facts = { ...(pos !== undefined && { pos }), ...(quantity !== undefined && { quantity }) }
      return { kind, type, from: from.name, to: to.name, details, ...facts }
    }),
  )
}

// Finding the ends

export type ResolvedLink = rows.NewLink & Pick<RequestedPair, 'details'>

/**
 * Finds and locks all ends, with one statement per kind of object, always in the same order of kinds. An object that
 * the caller may not read counts as missing; the end that a link describes must allow the caller to link.
 */
async function lockEnds(
  { db, caller }: Context,
  targets: Targets,
  pairs: readonly Pair[],
  rules: RelationRules = () => undefined,
) {
  const ends = pairs.flatMap(({ kind, from, to }) => {
    const { from: source, to: target } = linkKinds.get(kind)!
    return [
      { dataType: source.dataType, name: from },
      { dataType: target.dataType, name: to },
    ]
  })
  const found = new Map<string, TargetRow>()
  const byType = Map.groupBy(ends, ({ dataType }) => dataType)
  for (const dataType of [...byType.keys()].toSorted()) {
    const names = byType.get(dataType)!
    for (const row of (await targets.get(dataType)?.lock(db, namedBy(names.map(({ name }) => name)))) ?? []) {
      if (!mayAct(caller, 'read', dataType, row)) continue
      found.set(`${dataType} ${nameKey({ id: row.id })}`, row).set(`${dataType} ${nameKey(nameOf(row))}`, row)
    }
  }
  const find = ({ dataType, by }: End, name: Name): TargetRow | Problem =>
    found.get(`${dataType} ${nameKey(name)}`) ??
    new Problem(
      'notFound',
      `no ${dataType} has the ${by === 'Path' && 'tid' in name ? `path ${name.tid}` : nameKey(name)}`,
    )
  return (pair: Pair & Partial<RequestedPair>): ResolvedLink | Problem => {
    const { kind, type, from, to, details = {}, pos, quantity } = pair
    const ends = linkKinds.get(kind)!
    const [source, target] = [find(ends.from, from), find(ends.to, to)]
    if (source instanceof Problem) return source
    if (target instanceof Problem) return target
    const [{ dataType }, described] = ends.describes === 'from' ? [ends.from, source] : [ends.to, target]
    if (!mayAct(caller, 'link', dataType, described))
      return new Problem('forbidden', because('mayNotLink', { kind: dataType, tid: described.tid }))
    const facts = { ...(pos !== undefined && { pos }), ...(quantity !== undefined && { quantity }) }
    const link = { kind, type, fromId: source.id, toId: target.id, ...facts }
    return rules({ ...link, fromLevel: source.level ?? 0, toLevel: target.level ?? 0 }) ?? { ...link, details }
  }
}

/** The links that the area of their source refuses. */
async function findRefused({ db }: Context, targets: Targets, links: readonly ResolvedLink[]) {
  const refused = new Map<string, Problem>()
  for (const [kind, some] of Map.groupBy(links, (link) => link.kind)) {
    const target = targets.get(linkKinds.get(kind)!.from.dataType)
    for (const [key, problem] of (await target?.refusedLinks?.(db, kind, some)) ?? [])
      refused.set(`${kind} ${key}`, problem)
  }
  return ({ kind, fromId, toId }: ResolvedLink) => refused.get(`${kind} ${fromId} ${toId}`)
}

// Writing the links

/** Adds links between objects that are found and locked. */
export async function addLinks(ctx: Context, resolved: readonly ResolvedLink[]): Promise<Outcome[]> {
  if (resolved.length === 0) return []
  const fresh = await rows.insertLinks(ctx.db, resolved, ctx.caller.userName)
  const created = new Map(fresh.map((row) => [identity(row), row.id]))
  const placed = resolved.filter(({ pos, quantity }) => pos !== undefined || quantity !== undefined)
  for (const link of placed.length > 0 ? await rows.placeLinks(ctx.db, placed) : []) recordBoth(ctx, link, 'link')
  return resolved.map((link) => settle(ctx, link, created))
}

const identity = ({ kind, type, fromId, toId }: rows.NewLink) => `${fromId} ${kind} ${toId} ${type}`

/** Of equal links in a batch, the first one counts as created. */
function settle(ctx: Context, { details, pos: _pos, ...link }: ResolvedLink, created: Map<string, number>): Outcome {
  const id = created.get(identity(link))
  if (id === undefined) return { action: 'create', details, description: 'the link exists already' }
  created.delete(identity(link))
  recordBoth(ctx, link, 'link')
  return { action: 'create', id, details }
}

/** A link is recorded in the history of both of its ends. */
function recordBoth(ctx: Context, link: rows.NewLink, action: 'link' | 'unlink'): void {
  const { kind, type, fromId, toId, quantity } = link
  const { from, to } = linkKinds.get(kind)!
  const changes = { link: { kind, type, from: fromId, to: toId, ...(quantity != null && { quantity }) } }
  ctx.record({ dataType: from.dataType, id: fromId, event: 'UPDATE', action, changes })
  ctx.record({ dataType: to.dataType, id: toId, event: 'UPDATE', action, changes })
}

/** The links that an action removes; both ends are among its meta items. */
export function toUnlinked(kind: string, { meta }: ActionValue): Unlinked {
  const ends = linkKinds.get(kind)!
  const endOf = (end: End): Name => {
    const [first] = namesOf(meta?.itm ?? [], end)
    if (first) return first.name
    throw new Problem('invalid', `unlink needs meta ${keysOf(end)}`)
  }
  const type = metaText(meta, 'linkType')
  return { kind, type: type ?? '', anyType: type === undefined, from: endOf(ends.from), to: endOf(ends.to) }
}

type Unlinked = Pair & { readonly anyType: boolean }

/** Removes links. Without a type it removes links of every type; a link that does not exist is refused. */
export async function unlink(
  ctx: Context,
  targets: Targets,
  pairs: readonly (Unlinked | Problem)[],
): Promise<Outcome[]> {
  const resolve = await lockEnds(ctx, targets, soundOf(pairs))
  const resolved = pairs.map((pair) => {
    const link = pair instanceof Problem ? pair : resolve(pair)
    return link instanceof Problem ? link : { ...link, anyType: (pair as Unlinked).anyType }
  })
  const gone = await rows.deleteLinks(ctx.db, soundOf(resolved))
  for (const link of gone) recordBoth(ctx, link, 'unlink')
  const left = Map.groupBy(gone, pairKey)
  return resolved.map((link) => {
    if (link instanceof Problem) return link
    const there = left.get(pairKey(link)) ?? []
    const removed = link.anyType ? there : there.filter(({ type }) => type === link.type)
    if (removed.length === 0) return new Problem('notFound', because('noLink'))
    // The first action that names a link has removed it; later ones find none.
    left.set(
      pairKey(link),
      there.filter((one) => !removed.includes(one)),
    )
    return { action: 'unlink', details: { links: String(removed.length) } }
  })
}

const pairKey = ({ kind, fromId, toId }: rows.NewLink) => `${fromId} ${kind} ${toId}`

/** The objects that each object is linked to, as messages show them: the key is the tid, the text is the path. */
export async function linkedObjects(
  { db, caller }: Context,
  targets: Targets,
  kind: string,
  fromIds: readonly number[],
) {
  const linked = await rows.linksFrom(db, kind, fromIds)
  const ids = linked.map(({ toId }) => toId)
  const { dataType } = linkKinds.get(kind)!.to
  const described = (await targets.get(dataType)?.describe(db, ids)) ?? []
  const readable = described.filter((row) => mayAct(caller, 'read', dataType, row))
  const itemOf = new Map(readable.map(({ id, tid, path }) => [id, { value: path, key: tid }]))
  return new Map<number, Infer<typeof Links>>(
    [...Map.groupBy(linked, ({ fromId }) => fromId)].map(([fromId, ends]) => [
      fromId,
      { itm: ends.flatMap(({ toId }) => itemOf.get(toId) ?? []) },
    ]),
  )
}
