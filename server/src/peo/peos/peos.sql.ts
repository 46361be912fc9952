/** SQL statements about product extension objects. Links of the kind peoToProject connect them to channels. */
import type { Long } from '@kontor/contract'
import { columns as table, type Row, stampColumns } from '../../adapters/postgres/columns.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { nothing, type Sql, sql } from '../../adapters/postgres/sql.ts'
import type { ItemValue, Stamps, TargetRow } from '../../common/api.ts'
import type { Caller } from '../../core/context.ts'
import { type Action, pathsFor, within } from '../../core/access/permissions.ts'
import type { StoredValues } from '../../values/api.ts'
import type { Paging } from '../../core/context.ts'
import { atMost, behind } from '../../core/batch/paging.sql.ts'

const peo = table('peo', 'id', 'tid', 'name', 'product_id', 'template_id', 'is_default', 'meta', 'vals')
const changeable = peo.without('id', 'tid', 'product_id')
const stamps = table('peo', ...stampColumns)

export interface PeoRow extends Readonly<Row<typeof peo>> {
  readonly meta: readonly ItemValue[]
  readonly vals: StoredValues
}
export interface PeoDetails extends PeoRow, Stamps {
  readonly productTid: string
  readonly templateTid: string
  readonly template: string
  readonly ofReadable: boolean
  readonly nodes: readonly { readonly tid: string; readonly id: number; readonly path: string }[]
}

const columns = peo.select('e')

/**
 * The SQL condition for objects that the caller may act on: those in permitted channels, or all if no grant is scoped
 * to channels.
 */
const allowed = ({ permissions }: Caller, action: Action): Sql =>
  pathsFor(permissions, action, 'peo') === 'all'
    ? sql`true`
    : sql`exists (select from link l join project p on p.id = l.to_id
        where l.from_id = e.id and l.kind = 'peoToProject' and ${within(permissions, action, 'peo', sql`p.path`)})`
const readable = (caller: Caller) => allowed(caller, 'read')

/** Whether the caller may read the product `m` of an object, which is in another tree than the object. */
const ofReadable = ({ permissions }: Caller): Sql =>
  pathsFor(permissions, 'read', 'product') === 'all'
    ? sql`true`
    : sql`exists (select from product r join node n on n.id = r.node_id
        where r.id = coalesce(m.root_id, m.id) and ${within(permissions, 'read', 'product', sql`n.path`)})`

// Reading

export type By = { readonly tids: readonly string[] } | { readonly ids: readonly Long[] }
const named = (by: By) => ('tids' in by ? sql`e.tid = any(${by.tids}::text[])` : sql`e.id = any(${by.ids}::bigint[])`)

export const findPeos = (db: Db, by: By, caller: Caller) =>
  db.rows<PeoDetails>(sql`
    select ${columns}, ${stamps.select('e')}, m.tid as "productTid", t.tid as "templateTid", t.name as template,
      coalesce((select jsonb_agg(jsonb_build_object('tid', p.tid, 'id', p.id, 'path', p.path) order by l.id)
        from link l join project p on p.id = l.to_id where l.from_id = e.id and l.kind = 'peoToProject'), '[]') as nodes,
      ${ofReadable(caller)} as "ofReadable"
    from peo e join product m on m.id = e.product_id join peo_template t on t.id = e.template_id
    where ${named(by)} and ${readable(caller)}`)

export const listTids = async (db: Db, caller: Caller) =>
  (await db.rows<{ tid: string }>(sql`select e.tid from peo e where ${readable(caller)} order by e.id`)).map(
    ({ tid }) => tid,
  )

export interface Criteria {
  readonly from: string | undefined
  readonly until: string | undefined
  readonly names: readonly string[] | undefined
  readonly project: string | undefined
  readonly product: string | undefined
  /** Includes the channels below. */
  readonly withChildren: boolean
  /** Includes the objects of products that are linked to the channel. */
  readonly ofLinkedProducts: boolean
}

/**
 * The tids of objects in the order of creation. Dates are compared in milliseconds, because stored timestamps are more
 * precise.
 */
export const queryPeos = (db: Db, criteria: Criteria, caller: Caller, paging: Paging | undefined) => {
  const { from, until, names, project, product } = criteria
  return db.rows<{ id: number; tid: string }>(sql`
    select e.id, e.tid from peo e where ${readable(caller)}
      ${from === undefined ? nothing : sql`and e.modified_at >= ${from}::timestamptz`}
      ${until === undefined ? nothing : sql`and e.modified_at < ${until}::timestamptz + interval '1 millisecond'`}
      ${names === undefined ? nothing : sql`and e.name = any(${names}::text[])`}
      ${product === undefined ? nothing : sql`and e.product_id in (select id from product where tid = ${product})`}
      ${project === undefined ? nothing : sql`and ${inProject(project, criteria)}`}
      ${behind(paging, sql`e.id`)}
    order by e.id ${atMost(paging)}`)
}

const inProject = (tid: string, { withChildren, ofLinkedProducts }: Criteria): Sql => {
  const below = sql`or (p.path collate "C" > top.path || '/' and p.path collate "C" < top.path || '0')`
  const channels = sql`select p.id from project top join project p on p.id = top.id ${withChildren ? below : nothing}
    where top.tid = ${tid}`
  const linked = sql`e.id in (select l.from_id from link l where l.kind = 'peoToProject' and l.to_id in (${channels}))`
  if (!ofLinkedProducts) return linked
  return sql`(${linked} or e.product_id in
    (select l.from_id from link l where l.kind = 'productToProject' and l.to_id in (${channels})))`
}

export interface PlacedPeo {
  readonly projectId: number
  readonly id: number
  readonly tid: string
  readonly name: string
  readonly isDefault: boolean
  readonly productId: number
  readonly productTid: string
  /** Whether the caller may read the product. */
  readonly ofReadable: boolean
  readonly templateId: number
  readonly templateTid: string
  readonly template: string
  /** The products that the product is a part of. */
  readonly aboveIds: readonly number[]
}
/** The objects in channels, in the order in which they were added. */
export const findPlaced = (db: Db, projectIds: readonly number[], caller: Caller) =>
  db.rows<PlacedPeo>(sql`
    select l.to_id as "projectId", e.id, e.tid, e.name, e.is_default as "isDefault", e.product_id as "productId",
      m.tid as "productTid", ${ofReadable(caller)} as "ofReadable", e.template_id as "templateId", t.tid as "templateTid", t.name as template,
      case m.level when 0 then '{}' when 1 then array[m.parent_id] else array[m.parent_id, m.root_id] end as "aboveIds"
    from link l join peo e on e.id = l.from_id join product m on m.id = e.product_id
    join peo_template t on t.id = e.template_id
    where l.kind = 'peoToProject' and l.to_id = any(${projectIds}::bigint[]) order by l.to_id, l.id`)

export interface ExtendingPeo extends Pick<PeoRow, 'id' | 'tid' | 'vals' | 'productId' | 'templateId'> {
  readonly projectId: number
}
/** The objects in channels with their values; of all products or of some. */
export const findExtending = (
  db: Db,
  projectIds: readonly number[],
  { productIds, caller }: { readonly productIds?: readonly number[]; readonly caller?: Caller },
) =>
  db.rows<ExtendingPeo>(sql`
    select l.to_id as "projectId", e.id, e.tid, e.vals, e.product_id as "productId", e.template_id as "templateId"
    from link l join peo e on e.id = l.from_id
    where l.kind = 'peoToProject' and l.to_id = any(${projectIds}::bigint[])
      ${productIds ? sql`and e.product_id = any(${productIds}::bigint[])` : nothing}
      ${caller ? sql`and ${readable(caller)}` : nothing}
    order by l.id`)

// Writing

/** Objects by name, locked in the order of their ids. Objects that the caller may not act on are treated as missing. */
export const lockPeos = (db: Db, ids: readonly Long[], tids: readonly string[], caller: Caller, action: Action) =>
  db.rows<PeoRow>(sql`
    select ${columns} from peo e
    where (e.id = any(${ids}::bigint[]) or e.tid = any(${tids}::text[])) and ${allowed(caller, action)} order by e.id for update`)

export const findPaths = (db: Db, ids: readonly number[]) =>
  db.rows<{ id: number; path: string }>(sql`
    select l.from_id as id, p.path from link l join project p on p.id = l.to_id
    where l.from_id = any(${ids}::bigint[]) and l.kind = 'peoToProject'`)

export const insertPeos = (db: Db, rows: readonly PeoRow[], userName: string) =>
  db.run(sql`
    insert into peo (${peo.names}, created_by, modified_by)
    select ${peo.fields('r')}, ${userName}, ${userName} from ${peo.recordset(rows, 'r')}`)

export const updatePeos = (db: Db, rows: readonly PeoRow[], userName: string) =>
  db.run(sql`
    update peo e set ${changeable.set('r')}, modified_at = now(), modified_by = ${userName}
    from ${peo.recordset(rows, 'r')} where e.id = r.id`)

export const deletePeos = (db: Db, ids: readonly number[]) =>
  db.run(sql`delete from peo where id = any(${ids}::bigint[])`)

/** Adds copies to the channels of their originals. */
export const copyLinks = (
  db: Db,
  copies: readonly { readonly sourceId: number; readonly id: number }[],
  user: string,
) =>
  db.run(sql`
    insert into link (kind, type, from_id, to_id, pos, created_by)
    select l.kind, l.type, c.id, l.to_id, l.pos, ${user}
    from jsonb_to_recordset(${JSON.stringify(copies)}::jsonb) as c ("sourceId" bigint, id bigint)
    join link l on l.from_id = c."sourceId" and l.kind = 'peoToProject' order by l.id`)

// Uses and link targets

export const usersOfProducts = sql`
  select part.top_id, part.id as of_id, 'peo' as data_type, e.id, 'extends' as kind, '' as link_type, true as keeps
  from part join peo e on e.product_id = part.id`
export const usersOfTemplates = sql`
  select part.top_id, part.id, 'peo', e.id, 'template', '', true from part join peo e on e.template_id = part.id`

const target = sql`e.id, e.tid, e.name as path, array(
  select p.path from link l join project p on p.id = l.to_id where l.from_id = e.id and l.kind = 'peoToProject'
) as scopes`

export const lockTargets = (db: Db, ids: readonly Long[], tids: readonly string[]) =>
  db.rows<TargetRow>(sql`
    select ${target} from peo e
    where e.id = any(${ids}::bigint[]) or e.tid = any(${tids}::text[]) order by e.id for key share`)

export const describeTargets = (db: Db, ids: readonly Long[], tids: readonly string[] = []) =>
  db.rows<TargetRow>(sql`
    select ${target} from peo e where e.id = any(${ids}::bigint[]) or e.tid = any(${tids}::text[])`)
