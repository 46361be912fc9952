/**
 * Where objects are used: the one answer for `where-used` and for whether an object may be deleted.
 *
 * This file knows links. Each area contributes its other kinds of use as a select (a product is in a node, a product
 * extension object extends a product), and the composition root combines them.
 */
import { because } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import type { Sql } from '../../adapters/postgres/sql.ts'
import type { Caller, Part, Services } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import { mayAct, type Target, type TargetRow, type Targets } from '../links/targets.ts'
import { findUses, type UseRow } from './uses.sql.ts'

/** A kind of object whose uses can be requested. */
interface UsedKind extends Pick<Target, 'describe' | 'inTrash'> {
  /** The kind whose rights apply, if it has none of its own. */
  readonly like?: string
}

/** The kinds of use that an area contributes. */
export interface AreaUses {
  /** Kinds of objects that are used but never linked. */
  readonly kinds?: readonly (readonly [dataType: string, kind: UsedKind])[]
  /**
   * The users of objects of a kind: selects top_id, of_id, data_type, id, kind, link_type, keeps from the relation
   * `part` of objects (top_id, id).
   */
  readonly uses?: readonly (readonly [dataType: string, users: Sql])[]
}

export interface Usage {
  readonly kinds: ReadonlyMap<string, UsedKind>
  readonly uses: ReadonlyMap<string, readonly Sql[]>
}

export function createUsage(targets: Targets, areas: readonly AreaUses[]): Usage {
  const uses = areas.flatMap((area) => area.uses ?? [])
  return {
    kinds: new Map<string, UsedKind>([...targets, ...areas.flatMap((area) => area.kinds ?? [])]),
    uses: new Map(
      [...Map.groupBy(uses, ([dataType]) => dataType)].map(([dataType, some]) => [dataType, some.map(([, of]) => of)]),
    ),
  }
}

export interface NamedUse extends UseRow {
  readonly row: TargetRow
}
export interface Uses {
  /** How many the caller may read, and the first thousand of them. */
  readonly total: number
  readonly named: readonly NamedUse[]
  /** Whether there are others, which the caller may not read. */
  readonly hidden: boolean
}
const most = 1000
const none: Uses = { total: 0, named: [], hidden: false }

/** By top object. Two statements, and one per kind of user. */
export async function usesOf(
  { db, caller }: { readonly db: Db; readonly caller: Caller },
  usage: Usage,
  dataType: string,
  parts: readonly Part[],
  keepingOnly = false,
): Promise<(topId: number) => Uses> {
  if (parts.length === 0) return () => none
  const trashes = [...usage.kinds.values()].flatMap(({ inTrash }) => inTrash ?? [])
  const found = await findUses(db, parts, usage.uses.get(dataType) ?? [], trashes, { most, keepingOnly })
  const described = new Map<number, TargetRow>()
  for (const [user, some] of Map.groupBy(found, (use) => use.dataType)) {
    const kind = usage.kinds.get(user)!
    const ids = [...new Set(some.map(({ id }) => id))]
    for (const row of await kind.describe(db, ids)) {
      if (mayAct(caller, 'read', kind.like ?? user, row)) described.set(row.id, row)
    }
  }
  const byTop = Map.groupBy(found, ({ topId }) => topId)
  return (topId) => {
    const own = byTop.get(topId)
    if (!own) return none
    const named = own.flatMap((use) => (described.has(use.id) ? [{ ...use, row: described.get(use.id)! }] : []))
    const hidden = named.length < own.length
    // More than were looked at: what is beyond them counts only if all of them can be read.
    return { total: hidden ? named.length : own[0]!.total, named, hidden }
  }
}

/** Why objects cannot be deleted (core/context.ts). */
export const deletionBlockersBy =
  (usage: Usage): Services['deletionBlockers'] =>
  async (ctx, dataType, parts) => {
    const uses = await usesOf(ctx, usage, dataType, parts, true)
    return (topId, what, gone) => {
      const { total, named, hidden } = uses(topId)
      const here = named.filter(({ id, ofId }) => !gone.has(id) && !gone.has(ofId))
      const count = total - (named.length - here.length)
      if (count === 0 && !hidden) return undefined
      return new Problem('inUse', because('inUse', { object: what, uses: inWords(here, count, hidden) }))
    }
  }

const mostNamed = 10

function inWords(named: readonly NamedUse[], total: number, hidden: boolean): string {
  const words = named.slice(0, mostNamed).map(({ dataType, row, kind, linkType }) => {
    return `${dataType} ${row.tid} (${linkType === '' ? kind : `${kind} ${linkType}`})`
  })
  const more = total > words.length ? [`${total - words.length} more`] : []
  return [words.join(', '), ...more, ...(hidden ? ['objects that you may not read'] : [])].filter(Boolean).join(' and ')
}
