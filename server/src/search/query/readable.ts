/** Which objects that the values of a field name may be read by the caller, by their current place in the database. */
import type { Db } from '../../adapters/postgres/db.ts'
import { isBelow } from '../../core/access/permissions.ts'
import type { DocumentField } from '../../core/outbox/documents.ts'
import type { Scope } from './query.ts'

export type IsReadable = (value: unknown) => boolean

/** One statement for any number of values; none if the caller may read all objects that the field can name. */
export async function readableOf(
  db: Db,
  { view, other }: Scope,
  field: DocumentField,
  values: () => Iterable<unknown>,
): Promise<IsReadable> {
  const limits = view.limits(field)
  if (!limits) return () => true
  if (limits.paths) return (value) => limits.paths.some((top) => isBelow(String(value), top))
  const tids = [...new Set(values())].map(String)
  const there = other(limits.link.index)
  const found = tids.length > 0 ? await there.entry.source.find(db, tids) : []
  const readable = new Set(found.filter(({ scopes }) => there.view.mayFind(scopes)).map(({ tid }) => tid))
  return (value) => readable.has(String(value))
}
