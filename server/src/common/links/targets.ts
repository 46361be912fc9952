/**
 * What links can point at. Each area offers its kinds of objects; the composition root puts them together, so that
 * links know no area.
 */
import type { Long } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import type { Sql } from '../../adapters/postgres/sql.ts'
import type { Caller } from '../../core/context.ts'
import { type Action, allows, allowsAt, pathsFor } from '../../core/access/permissions.ts'

export interface TargetRow {
  readonly id: number
  /** Or what takes its place: the path of a keyword. */
  readonly tid: string
  /** Where the object stands, for people: an asset's path, a product's name. */
  readonly path: string
  /** Its paths in the tree by which grants are narrowed, where there is one (core/access/permissions.ts). */
  readonly scopes?: readonly string[]
}

export interface Target {
  /** Finds objects by id or tid and locks them against deletion until the transaction ends (`for key share`). */
  lock(db: Db, by: { readonly ids: readonly Long[]; readonly tids: readonly string[] }): Promise<readonly TargetRow[]>
  /** The same without a lock, for who only looks. */
  describe(db: Db, ids: readonly Long[], tids?: readonly string[]): Promise<readonly TargetRow[]>
  /** Where there is a trash: a condition on an id, that the object stands there. Its links are kept, but do not count. */
  inTrash?(id: Sql): Sql
}

/** By data type: asset, product, project, … */
export type Targets = ReadonlyMap<string, Target>

/** Whether the caller may do it to the object: in one of its places, if grants are narrowed to places at all. */
export function mayAct(
  { permissions }: Caller,
  action: Action,
  dataType: string,
  { scopes }: Pick<TargetRow, 'scopes'>,
): boolean {
  if (!scopes) return allows(permissions, action, dataType)
  if (pathsFor(permissions, action, dataType) === 'all') return true
  return scopes.some((path) => allowsAt(permissions, action, dataType, path))
}
