/** SQL statements about the pictures of products, and those that channels require. */
import type { Db } from '../../adapters/postgres/db.ts'
import { type Sql, sql } from '../../adapters/postgres/sql.ts'

/** A picture that is linked to a product, or to an object above it. */
export interface Picture {
  readonly assetId: number
  readonly role: string
  /** Not in the trash, and not with usage rights that have ended or not begun. Others can become usable. */
  readonly isUsable: boolean
}

/**
 * The pictures of the product `p`, with those of the objects above it, as rows of assetId, role and isUsable. `readable` is
 * a condition on the path of the directory, `at`. Readiness and quality count the same pictures.
 */
export const picturesOf = (readable: (at: Sql) => Sql): Sql => sql`
  select e.id as "assetId", l.type as role,
    e.deleted_at is null and (u.asset_id is null or coalesce(u.override_until > now(), false)
      or (coalesce(u.valid_until > now(), true) and coalesce(u.valid_from <= now(), true)
        and coalesce(u.embargo_until <= now(), true))) as "isUsable"
  from link l
  join dam_entry e on e.id = l.from_id and e.kind = 'asset' and e.mime like 'image/%'
  join rnc r on r.id = e.rnc_id
  left join dam_entry d on d.id = e.parent_id
  left join asset_usage u on u.asset_id = e.id
  where l.kind = 'assetToProduct' and l.to_id = any(array[p.id, p.root_id, case when p.level = 2 then p.parent_id end])
    and ${readable(sql`coalesce(d.path, '/' || r.tid)`)}`

export const findPictures = (db: Db, productIds: readonly number[], readable: (at: Sql) => Sql) =>
  db.rows<Picture & { readonly productId: number }>(sql`
    select p.id as "productId", f.* from product p cross join lateral (${picturesOf(readable)}) f
    where p.id = any(${productIds}::bigint[])`)

export const replacePictures = async (
  db: Db,
  projectId: number,
  pictures: readonly { readonly role: string; readonly count: number }[],
): Promise<void> => {
  await db.run(sql`delete from channel_picture where project_id = ${projectId}`)
  if (pictures.length > 0)
    await db.run(sql`
      insert into channel_picture (project_id, role, count)
      select ${projectId}, n.role, n.count from jsonb_to_recordset(${JSON.stringify(pictures)}::jsonb) as n (role text, count smallint)`)
}
