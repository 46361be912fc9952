/**
 * What links can point at. Each area offers its kinds of objects; the composition root puts them together, so that
 * links know no area.
 */
import type { Long } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import type { Sql } from '../../adapters/postgres/sql.ts'

export interface TargetRow {
  readonly id: number
  /** Or what takes its place: the path of a keyword. */
  readonly tid: string
  /** Where the object stands, for people: an asset's path, a product's name. */
  readonly path: string
  /** Its path in the tree by which grants are narrowed, where there is one (core/permissions.ts). */
  readonly scope?: string
}

export interface Target {
  /** Finds objects by id or tid and locks them against deletion until the transaction ends (`for key share`). */
  lock(db: Db, by: { readonly ids: readonly Long[]; readonly tids: readonly string[] }): Promise<readonly TargetRow[]>
  describe(db: Db, ids: readonly number[]): Promise<readonly TargetRow[]>
  /** Where there is a trash: a condition on an id, that the object stands there. Its links are kept, but do not count. */
  inTrash?(id: Sql): Sql
}

/** By data type: asset, product, project, … */
export type Targets = ReadonlyMap<string, Target>
