/**
 * Targets of links. Each area offers its kinds of objects and the composition root combines them, so that links import
 * no area.
 */
import type { Long } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import type { Sql } from '../../adapters/postgres/sql.ts'
import type { Caller } from '../../core/context.ts'
import type { Name } from './link-kinds.ts'
import {
  type Action,
  allows,
  allowsAt,
  pathsFor,
  rightsAnywhere,
  seesDefinition,
} from '../../core/access/permissions.ts'
import type { Problem } from '../../errors.ts'

export interface TargetRow {
  readonly id: number
  /** Or its replacement: the path of a keyword. */
  readonly tid: string
  /** Where the object is, for people: an asset's path, a product's name. */
  readonly path: string
  /** Of products: 0 product, 1 article, 2 variation. Their tids are unique per level. */
  readonly level?: number
  /** Its paths in the tree that restricts grants, if there is one (core/access/permissions.ts). */
  readonly scopes?: readonly string[]
  /** Its locale, if it is in one, and the attribute that it defines for a kind of objects: grants can hide both. */
  readonly locale?: string
  readonly attribute?: { readonly tid: string; readonly of: string }
  /** The users and roles that it concerns, if it does not concern everybody. */
  readonly audience?: { readonly users: readonly string[]; readonly roles: readonly string[] }
}

interface NamedBy {
  readonly ids: readonly Long[]
  readonly tids: readonly string[]
  /** Articles and variations by tid. */
  readonly below?: readonly { readonly tid: string; readonly level: number }[]
}

/** The names of objects of one kind, as `lock` takes them. */
export const namedBy = (names: readonly Name[]): NamedBy => ({
  ids: names.flatMap((name) => ('id' in name ? [name.id] : [])),
  tids: names.flatMap((name) => ('tid' in name && !name.level ? [name.tid] : [])),
  below: names.flatMap((name) => ('tid' in name && name.level ? [{ tid: name.tid, level: name.level }] : [])),
})

export const nameOf = ({ tid, level = 0 }: TargetRow): Name => ({ tid, level })

export interface Target {
  /** Finds objects by id or tid and locks them against deletion until the transaction ends (`for key share`). */
  lock(db: Db, by: NamedBy): Promise<readonly TargetRow[]>
  /** Finds objects without locking them, for reading. */
  describe(db: Db, ids: readonly Long[], tids?: readonly string[]): Promise<readonly TargetRow[]>
  /**
   * For areas with a trash: a condition on an id that the object is in the trash. Its links are kept but do not count.
   */
  inTrash?(id: Sql): Sql
  /** The new links of a kind from such objects that must not be made, by `fromId toId`. */
  refusedLinks?(
    db: Db,
    kind: string,
    links: readonly { readonly fromId: number; readonly toId: number }[],
  ): Promise<ReadonlyMap<string, Problem>>
}

/** By data type: asset, product, project, … */
export type Targets = ReadonlyMap<string, Target>

/** Whether the caller may do this to the object: in one of its places, if grants are restricted to places. */
export function mayAct(
  { permissions, userName, roles }: Pick<Caller, 'permissions' | 'userName' | 'roles'>,
  action: Action,
  dataType: string,
  { scopes, locale, attribute, audience }: Omit<TargetRow, 'id' | 'tid' | 'path'>,
): boolean {
  if (locale !== undefined && !rightsAnywhere(permissions, dataType).locale(locale).visible) return false
  if (attribute !== undefined && !seesDefinition(permissions, attribute.of, attribute.tid)) return false
  if (
    audience &&
    !roles.has('admin') &&
    !audience.users.includes(userName) &&
    !audience.roles.some((role) => roles.has(role))
  )
    return false
  if (!scopes) return allows(permissions, action, dataType)
  if (pathsFor(permissions, action, dataType) === 'all') return true
  return scopes.some((path) => allowsAt(permissions, action, dataType, path))
}
