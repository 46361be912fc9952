/**
 * Links inside an object that has them: as in /common/links, without the object's own end.
 *
 *   <links>
 *     <itms type="assetToProduct"><itms type="Main_Image"><itm key="assetTid">A-1</itm></itms></itms>
 *     <itms type="productToProduct"><itms type="Accessory"><itm key="targetProductTid">P-2</itm></itms></itms>
 *   </links>
 */
import type { Infer, Items, Links } from '@kontor/contract'
import type { Context } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import { type End, keyOf, linkKinds, type Name, nameKey, namesOf } from './link-kinds.ts'
import type { ResolvedLink } from './links.ts'
import { linksOf } from './links.sql.ts'
import { quantityOf, relationKind, relationRules } from './relation-rules.ts'
import { mayAct, namedBy, nameOf, type TargetRow, type Targets } from './targets.ts'

export type LinksMessage = Infer<typeof Links>
type Group = Infer<typeof Items>

/** A link to another object. The id of the object that contains it is not known yet. */
export interface SentLink {
  readonly kind: string
  readonly type: string
  readonly own: 'from' | 'to'
  readonly other: End
  readonly name: Name
  readonly pos?: number
  readonly quantity?: string
}

/** The end of a kind of link at which such an object can be; the source if both are possible. */
function sidesOf(dataType: string, kind: string): { own: 'from' | 'to'; other: End } | undefined {
  const ends = linkKinds.get(kind)
  if (ends?.from.dataType === dataType) return { own: 'from', other: ends.to }
  return ends?.to.dataType === dataType ? { own: 'to', other: ends.from } : undefined
}

/** The links that the groups of an object of this data type describe. */
export function readLinks(dataType: string, groups: readonly Group[]): SentLink[] {
  return groups.flatMap(({ type: kind = '', itms: inner = [] }) => {
    const sides = sidesOf(dataType, kind)
    if (!sides) {
      const known = [...linkKinds.keys()].filter((one) => sidesOf(dataType, one)).join(', ')
      throw new Problem(
        'invalid',
        `links: ${dataType}s have no links of kind ${kind || '(none)'}; expected one of ${known}`,
      )
    }
    return inner.flatMap(({ type = '', itm = [] }) => {
      const names = namesOf(itm, sides.other)
      const quantity = quantityOf(type, itm)
      if (names.length > 0)
        return names.map(({ name, pos }) => ({
          kind,
          type,
          ...sides,
          name,
          ...(kind === relationKind && pos !== undefined && { pos }),
          ...(quantity !== undefined && { quantity }),
        }))
      const { keys, by = 'Tid' } = sides.other
      throw new Problem('invalid', `links: ${kind} ${type} names no object; send ${keys[0]}${by} or ${keys[0]}Id`)
    })
  })
}

/** The object that contains the link. */
interface OwnEnd {
  readonly id: number
  /** Of products. */
  readonly level?: number
}

/** The other ends of a batch's links, found and locked. */
export interface Ends {
  /** Throws a Problem when the other end does not exist. `made` finds objects of the same kind and batch by tid. */
  resolve(link: SentLink, own: OwnEnd, made?: (tid: string, level: number) => number | undefined): ResolvedLink
}

/**
 * Uses one statement per kind of other end, always in the same order of kinds. An object that the caller may not read
 * counts as missing.
 */
export async function lockOthers(
  { db, caller }: Context,
  dataType: string,
  targets: Targets,
  links: readonly SentLink[],
): Promise<Ends> {
  const found = new Map<string, TargetRow>()
  for (const [otherType, some] of [...Map.groupBy(links, ({ other }) => other.dataType)].sort()) {
    for (const row of (await targets.get(otherType)?.lock(db, namedBy(some.map(({ name }) => name)))) ?? []) {
      if (!mayAct(caller, 'read', otherType, row)) continue
      found.set(`${otherType} id ${row.id}`, row).set(`${otherType} ${nameKey(nameOf(row))}`, row)
    }
  }
  const rules = await relationRules(db, links)
  return {
    resolve({ kind, type, own, other, name, pos, quantity }, { id: ownId, level: ownLevel = 0 }, made) {
      const known = found.get(`${other.dataType} ${nameKey(name)}`)
      // The object's own area has checked that the object may be linked.
      if (known && linkKinds.get(kind)!.describes !== own && !mayAct(caller, 'link', other.dataType, known))
        throw new Problem('forbidden', `links: your roles do not allow to link the ${other.dataType} ${known.tid}`)
      const level = 'tid' in name ? (name.level ?? 0) : (known?.level ?? 0)
      const otherId = known?.id ?? (other.dataType === dataType && 'tid' in name ? made?.(name.tid, level) : undefined)
      if (otherId === undefined) throw new Problem('notFound', `links: no ${other.dataType} has the ${nameKey(name)}`)
      const [fromId, toId] = own === 'from' ? [ownId, otherId] : [otherId, ownId]
      const [fromLevel, toLevel] = own === 'from' ? [ownLevel, level] : [level, ownLevel]
      const link = {
        kind,
        type,
        fromId,
        toId,
        ...(pos !== undefined && { pos }),
        ...(quantity !== undefined && { quantity }),
      }
      const problem = rules({ ...link, fromLevel, toLevel })
      if (problem) throw new Problem(problem.kind, `links: ${problem.message}`)
      return { ...link, details: {} }
    },
  }
}

/**
 * The links of objects as messages show them, by object. One statement for all links, and one per kind of other end.
 */
export async function embeddedLinks(
  { db, caller }: Context,
  dataType: string,
  targets: Targets,
  ids: readonly number[],
): Promise<Map<number, LinksMessage>> {
  const found = ids.length === 0 ? [] : await linksOf(db, ids)
  if (found.length === 0) return new Map()
  const own = new Set(ids)
  const sides = found.flatMap(({ kind, type, fromId, toId, pos, quantity }) => {
    const side = sidesOf(dataType, kind)
    if (!side) return []
    const [ownId, otherId] = side.own === 'from' ? [fromId, toId] : [toId, fromId]
    return own.has(ownId) ? [{ kind, type, ownId, otherId, other: side.other, pos, quantity }] : []
  })
  const described = new Map<number, TargetRow>()
  for (const [otherType, some] of Map.groupBy(sides, ({ other }) => other.dataType)) {
    const others = some.map(({ otherId }) => otherId)
    const rows = (await targets.get(otherType)?.describe(db, others)) ?? []
    for (const row of rows) if (mayAct(caller, 'read', otherType, row)) described.set(row.id, row)
  }
  const itemOf = ({ otherId, other, pos }: (typeof sides)[number]) => ({
    value: described.get(otherId)!.tid,
    key: keyOf(other, described.get(otherId)!.level),
    ...(typeof pos === 'number' && { pos }),
  })
  const readable = sides.filter(({ otherId }) => described.has(otherId))
  // Links with the same quantity share a group, which has it as a last item.
  const byType = (some: typeof sides) =>
    [...Map.groupBy(some, ({ quantity }) => quantity ?? '')].flatMap(([quantity, alike]) =>
      grouped(
        alike,
        ({ type }) => type,
        (same) => ({ itm: [...same.map(itemOf), ...(quantity === '' ? [] : [{ value: quantity, key: 'quantity' }])] }),
      ),
    )
  const byKind = (some: typeof sides) =>
    grouped(
      some,
      ({ kind }) => kind,
      (same) => ({ itms: byType(same) }),
    )
  return new Map([...Map.groupBy(readable, ({ ownId }) => ownId)].map(([ownId, own]) => [ownId, { itms: byKind(own) }]))
}

function grouped<T>(items: readonly T[], by: (item: T) => string, make: (items: T[]) => Group): Group[] {
  return [...Map.groupBy(items, by)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([type, some]) => ({ ...make(some), ...(type !== '' && { type }) }))
}
