/**
 * Links of products as they stand inside a product, an article or a variation: as in /common/links, without the object's
 * own end.
 *
 *   <links>
 *     <itms type="assetToProduct"><itms type="Main_Image"><itm key="assetTid">A-1</itm></itms></itms>
 *     <itms type="productToProduct"><itms type="Accessory"><itm key="targetProductTid">P-2</itm></itms></itms>
 *   </links>
 *
 * What is sent is added; a product may link to one that stands earlier in the same message.
 */
import type { Infer, Links } from '@kontor/contract'
import {
  type End,
  type EndName,
  endsNamed,
  linkKinds,
  linksOf,
  nameKey,
  type TargetRow,
  type Targets,
  type WantedLink as CommonLink,
} from '../../common/api.ts'
import type { Caller, Context } from '../../core/context.ts'
import { allowsAt } from '../../core/permissions.ts'
import { Problem } from '../../errors.ts'

type LinksMessage = Infer<typeof Links>
type Groups = NonNullable<LinksMessage['itms']>

/** A link to another object, whose own end is not known yet. */
export interface SentLink {
  readonly kind: string
  readonly type: string
  readonly own: 'from' | 'to'
  readonly other: End
  readonly name: EndName
}
export type WantedLink = CommonLink

/** Which end of a kind of link a product is, where it can be one. The source, where it could be either. */
function sidesOf(kind: string): { own: 'from' | 'to'; other: End } | undefined {
  const ends = linkKinds.get(kind)
  if (ends?.from.dataType === 'product') return { own: 'from', other: ends.to }
  return ends?.to.dataType === 'product' ? { own: 'to', other: ends.from } : undefined
}

export function toSentLinks({ itms = [] }: LinksMessage): SentLink[] {
  return itms.flatMap(({ type: kind = '', itms: inner = [] }) => {
    const sides = sidesOf(kind)
    if (!sides) {
      const known = [...linkKinds.keys()].filter(sidesOf).join(', ')
      throw new Problem(
        'invalid',
        `links: ${kind || 'nothing'} is no kind of link of a product; expected one of ${known}`,
      )
    }
    return inner.flatMap(({ type = '', itm = [] }) => {
      const names = endsNamed(itm, sides.other)
      if (names.length > 0) return names.map(({ name }) => ({ kind, type, ...sides, name }))
      const [key] = sides.other.keys
      throw new Problem('invalid', `links: ${kind} ${type} names no object; send ${key}Tid or ${key}Id`)
    })
  })
}

/** The other ends of a batch's links, found and locked. */
export interface Ends {
  /** Throws a Problem when the other end does not exist. `made` finds products of the same batch by tid. */
  resolve(link: SentLink, ownId: number, made: (tid: string) => number | undefined): WantedLink
}

export async function lockEnds({ db, caller }: Context, targets: Targets, links: readonly SentLink[]): Promise<Ends> {
  const found = new Map<string, TargetRow>()
  for (const [dataType, some] of [...Map.groupBy(links, ({ other }) => other.dataType)].sort()) {
    const ids = some.flatMap(({ name }) => ('id' in name ? [name.id] : []))
    const tids = some.flatMap(({ name }) => ('tid' in name ? [name.tid] : []))
    for (const row of (await targets.get(dataType)?.lock(db, { ids, tids })) ?? []) {
      if (!mayRead(caller, dataType, row)) continue
      found.set(`${dataType} id ${row.id}`, row).set(`${dataType} tid ${row.tid}`, row)
    }
  }
  return {
    resolve({ kind, type, own, other, name }, ownId, made) {
      const known = found.get(`${other.dataType} ${nameKey(name)}`)?.id
      const otherId = known ?? (other.dataType === 'product' && 'tid' in name ? made(name.tid) : undefined)
      if (otherId === undefined) throw new Problem('notFound', `links: no ${other.dataType} has the ${nameKey(name)}`)
      const [fromId, toId] = own === 'from' ? [ownId, otherId] : [otherId, ownId]
      return { kind, type, fromId, toId, details: {} }
    },
  }
}

const mayRead = ({ permissions }: Caller, dataType: string, { scope }: TargetRow) =>
  scope === undefined || allowsAt(permissions, 'read', dataType, scope)

/** The links of objects as messages show them, by object; with one statement for all, and one per kind of other end. */
export async function shownLinks(
  { db, caller }: Context,
  targets: Targets,
  ids: readonly number[],
): Promise<Map<number, LinksMessage>> {
  const found = ids.length === 0 ? [] : await linksOf(db, ids)
  if (found.length === 0) return new Map()
  const asked = new Set(ids)
  const sides = found.flatMap(({ kind, type, fromId, toId }) => {
    const side = sidesOf(kind)
    if (!side) return []
    const [ownId, otherId] = side.own === 'from' ? [fromId, toId] : [toId, fromId]
    return asked.has(ownId) ? [{ kind, type, ownId, otherId, other: side.other }] : []
  })
  const described = new Map<number, TargetRow>()
  for (const [dataType, some] of Map.groupBy(sides, ({ other }) => other.dataType)) {
    const rows =
      (await targets.get(dataType)?.describe(
        db,
        some.map(({ otherId }) => otherId),
      )) ?? []
    for (const row of rows) if (mayRead(caller, dataType, row)) described.set(row.id, row)
  }
  const shown = sides.filter(({ otherId }) => described.has(otherId))
  return new Map(
    [...Map.groupBy(shown, ({ ownId }) => ownId)].map(([ownId, own]) => [
      ownId,
      {
        itms: grouped(
          own,
          ({ kind }) => kind,
          (kinds) => ({
            itms: grouped(
              kinds,
              ({ type }) => type,
              (types) => ({
                itm: types.map(({ otherId, other }) => ({
                  value: described.get(otherId)!.tid,
                  key: `${other.keys[0]}Tid`,
                })),
              }),
            ),
          }),
        ),
      },
    ]),
  )
}

function grouped<T>(items: readonly T[], by: (item: T) => string, make: (items: T[]) => Groups[number]): Groups {
  return [...Map.groupBy(items, by)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([type, some]) => ({ ...make(some), ...(type !== '' && { type }) }))
}
