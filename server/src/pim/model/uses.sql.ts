/**
 * Which products use the model. Values have no index by attribute, because it would slow down every write. Finding the
 * values of a definition therefore scans all products; it happens only before something is deleted or narrowed.
 */
import type { Long } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { type Sql, sql } from '../../adapters/postgres/sql.ts'
import type { AreaUses, TargetRow } from '../../common/api.ts'
import { pathsFor, within } from '../../core/access/permissions.ts'
import type { Caller } from '../../core/context.ts'

/** The values to find: all of an attribute, those with one of `keys`, or those with more than `most` entries. */
export interface Sought {
  readonly attribute: string
  readonly keys?: readonly string[]
  readonly most?: number
}
export interface Use {
  /** How many of them the caller may read, and the tids of some of those. */
  readonly count: number
  readonly tids: string[]
  /** Whether there are others, which the caller may not read. */
  readonly hidden: boolean
}

/** For each of `sought`: the objects that have such values. */
export async function findValues(
  { db, caller }: { readonly db: Db; readonly caller: Caller },
  sought: readonly Sought[],
): Promise<(Use | undefined)[]> {
  if (sought.length === 0) return []
  const found = await db.rows<Use & { n: number }>(sql`
    select s.n, count(*) filter (where seen.yes)::int as count, count(*) filter (where not seen.yes) > 0 as hidden,
      coalesce((array_agg(p.tid order by p.id) filter (where seen.yes))[1:5], '{}') as tids
    from jsonb_to_recordset(${JSON.stringify(sought.map((each, n) => ({ ...each, n })))}::jsonb)
      as s (n int, attribute text, keys jsonb, most int)
    join product p on p.vals ? s.attribute
      and (s.keys is null
        or jsonb_path_exists(p.vals -> s.attribute, '$.** ? (@ == $k[*])', jsonb_build_object('k', s.keys)))
      and (s.most is null
        or jsonb_path_exists(p.vals -> s.attribute, 'strict $.** ? (@.type() == "array" && @.size() > $n)',
                             jsonb_build_object('n', s.most)))
    cross join lateral (select ${ofReadable(caller)} as yes) seen
    group by s.n`)
  const uses = new Map(found.map(({ n, ...use }) => [n, use]))
  return sought.map((_, n) => uses.get(n))
}

/** For each attribute: the objects that have the same value as another one. */
export async function findRepeated(
  { db, caller }: { readonly db: Db; readonly caller: Caller },
  attributes: readonly string[],
): Promise<ReadonlyMap<string, Use>> {
  if (attributes.length === 0) return new Map()
  const found = await db.rows<Use & { attribute: string }>(sql`
    with held as (
      select distinct a.attribute, p.id, text from unnest(${attributes}::text[]) as a (attribute)
      join product p on p.vals ? a.attribute cross join value_texts(p.vals -> a.attribute) as text
    ), repeated as (
      select distinct attribute, id from (select *, count(*) over (partition by attribute, text) as times from held) as counted
      where times > 1
    )
    select r.attribute, count(*) filter (where seen.yes)::int as count, count(*) filter (where not seen.yes) > 0 as hidden,
      coalesce((array_agg(p.tid order by p.id) filter (where seen.yes))[1:5], '{}') as tids
    from repeated r join product p on p.id = r.id cross join lateral (select ${ofReadable(caller)} as yes) seen
    group by 1`)
  return new Map(found.map(({ attribute, ...use }) => [attribute, use]))
}

/** Whether the product, article or variation `p` may be read. */
const ofReadable = ({ permissions }: Caller): Sql =>
  pathsFor(permissions, 'read', 'product') === 'all'
    ? sql`true`
    : sql`exists (select from product r join node n on n.id = r.node_id
        where r.id = coalesce(p.root_id, p.id) and ${within(permissions, 'read', 'product', sql`n.path`)})`

interface Loss {
  readonly id: number
  readonly level: number
  readonly lost: Readonly<Record<string, unknown>>
}

/** Removes the values of attributes, and returns what each object lost. */
export const removeValues = (db: Db, attributes: readonly string[], userName: string) =>
  db.writeRows<Loss>(sql`
    with used as (
      select id, (select jsonb_object_agg(key, value) from jsonb_each(vals) where key = any(${attributes}::text[])) as lost
      from product where vals ?| ${attributes}::text[] order by id for update
    ), unmarked as (
      delete from stale_text where attr = any(${attributes}::text[])
    )
    update product p
    set vals = p.vals - ${attributes}::text[], modified_at = now(), value_modified_at = now(), modified_by = ${userName}
    from used where p.id = used.id returning p.id, p.level, used.lost`)

/** The parent of a product is its node. */
export const countProducts = (db: Db, nodeIds: readonly number[]) =>
  db.rows<{ nodeId: number; count: number }>(sql`
    select parent_id as "nodeId", count(*)::int as count from product
    where parent_id = any(${nodeIds}::bigint[]) and level = 0 group by 1`)

/** Deletes the products of nodes with their articles and variations. */
export const deleteProducts = (db: Db, nodeIds: readonly number[]) =>
  db.writeRows<{ id: number; level: number; tid: string; name: string; path: string }>(sql`
    with top as (
      select p.id, n.path from product p join node n on n.id = p.parent_id
      where p.parent_id = any(${nodeIds}::bigint[]) and p.level = 0
    )
    delete from product p using top where p.id = top.id or p.root_id = top.id
    returning p.id, p.level, p.tid, p.name, top.path`)

/** The nodes of products. */
export const findProductNodes = (db: Db, ids: readonly Long[], tids: readonly string[]) =>
  db.rows<{ nodeId: number }>(sql`
    select distinct node_id as "nodeId" from product
    where level = 0 and (id = any(${ids}::bigint[]) or tid = any(${tids}::text[])) order by 1`)

// Parts of the model as objects that others use

export const describeClassifications = (db: Db, ids: readonly Long[]) =>
  db.rows<TargetRow>(sql`
    select c.id, c.tid, '/' || c.tid as path, array['/' || c.tid] as scopes from classification c
    where c.id = any(${ids}::bigint[])`)

const describeNodes = (db: Db, ids: readonly Long[], paths: readonly string[] = []) =>
  db.rows<TargetRow>(sql`
    select n.id, n.path as tid, n.path, array[n.path] as scopes from node n
    where n.id = any(${ids}::bigint[]) or n.path = any(${paths}::text[])`)

export const describeAttributes = (db: Db, ids: readonly Long[]) =>
  db.rows<TargetRow>(sql`
    select a.id, a.id::text as tid, n.path, array[n.path] as scopes, json_build_object('tid', d.tid, 'of', 'product') as attribute
    from node_attribute a join node n on n.id = a.node_id join attr_def d on d.id = a.attr_def_id
    where a.id = any(${ids}::bigint[])`)

export const describeDefinitions = (db: Db, ids: readonly Long[], tids: readonly string[] = []) =>
  db.rows<TargetRow>(sql`
    select d.id, d.tid, d.tid as path, json_build_object('tid', d.tid, 'of', 'product') as attribute from attr_def d
    where d.id = any(${ids}::bigint[]) or d.tid = any(${tids}::text[])`)

/**
 * A node with products is not deleted; the nodes below it are deleted with it. A definition is not deleted while nodes
 * have it as an attribute.
 */
export const modelUses: AreaUses = {
  kinds: [
    ['node', { describe: describeNodes }],
    ['attrDefinition', { describe: describeDefinitions }],
  ],
  uses: [
    [
      'node',
      sql`select part.top_id, part.id as of_id, 'product' as data_type, p.id, 'classified' as kind, '' as link_type, true as keeps
        from part join product p on p.parent_id = part.id and p.level = 0
        union all
        select part.top_id, part.id, 'node', n.id, 'below', '', false from part join node n on n.parent_id = part.id`,
    ],
    [
      'attrDefinition',
      sql`select part.top_id, part.id, 'node', a.node_id, 'attribute', '', true
        from part join node_attribute a on a.attr_def_id = part.id`,
    ],
  ],
}
