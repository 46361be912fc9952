/** Other objects that the history of an object names: the far ends of its links, and the original of a copy. */
import type { Db } from '../../adapters/postgres/db.ts'
import type { Caller } from '../../core/context.ts'
import { pathsFor } from '../../core/access/permissions.ts'
import { linkKinds } from './link-kinds.ts'
import { mayAct, type Targets } from './targets.ts'

interface Entry {
  readonly objectId: number
  readonly changes: Readonly<Record<string, unknown>>
}
interface Other {
  readonly dataType: string
  readonly id: number
}

/**
 * Which changes of the entries, of objects of a data type, name only objects that the caller may read. One statement per kind
 * of other object, and none for kinds that the caller may read everywhere.
 */
export async function readableOthers(
  { db, caller }: { readonly db: Db; readonly caller: Caller },
  targets: Targets,
  dataType: string,
  entries: readonly Entry[],
): Promise<(field: string, change: unknown) => boolean> {
  const own = new Set(entries.map(({ objectId }) => objectId))
  const othersOf = (field: string, change: unknown) =>
    namedIn(dataType, field, change).filter(
      ({ id, dataType: of }) => !own.has(id) && pathsFor(caller.permissions, 'read', of) !== 'all',
    )
  const all = entries.flatMap(({ changes }) => Object.entries(changes).flatMap((change) => othersOf(...change)))
  const readable = new Set<number>()
  for (const [of, some] of Map.groupBy(all, (other) => other.dataType)) {
    const ids = [...new Set(some.map(({ id }) => id))]
    for (const row of (await targets.get(of)?.describe(db, ids)) ?? []) {
      if (mayAct(caller, 'read', of, row)) readable.add(row.id)
    }
  }
  return (field, change) => othersOf(field, change).every(({ id }) => readable.has(id))
}

function namedIn(dataType: string, field: string, change: unknown): Other[] {
  if (field === 'copyOf') return [{ dataType, id: Number(change) }]
  if (field !== 'link' || typeof change !== 'object' || change === null) return []
  const { kind = '', from, to } = change as { kind?: string; from?: unknown; to?: unknown }
  const ends = linkKinds.get(kind)
  if (!ends) return []
  return [
    { dataType: ends.from.dataType, id: Number(from) },
    { dataType: ends.to.dataType, id: Number(to) },
  ]
}
