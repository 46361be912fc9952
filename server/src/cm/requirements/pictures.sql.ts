/** SQL statements about the pictures and other files that channels require of products. */
import type { Db } from '../../adapters/postgres/db.ts'
import { type Sql, sql } from '../../adapters/postgres/sql.ts'

interface PictureRow {
  readonly productId: number
  readonly assetId: number
  readonly role: string
}

/**
 * The files of products, articles and variations, with those of the objects above them. Files in the trash, and those whose
 * usage rights have ended or not begun, do not count. `readable` is a condition on the path of the directory, `at`.
 */
export const findPictures = (db: Db, productIds: readonly number[], readable: (at: Sql) => Sql) =>
  db.rows<PictureRow>(sql`
    select distinct p.id as "productId", e.id as "assetId", l.type as role
    from product p
    join link l on l.kind = 'assetToProduct'
      and l.to_id = any(array[p.id, p.root_id, case when p.level = 2 then p.parent_id end])
    join dam_entry e on e.id = l.from_id and e.kind = 'asset' and e.deleted_at is null
    join rnc r on r.id = e.rnc_id
    left join dam_entry d on d.id = e.parent_id
    left join asset_usage u on u.asset_id = e.id
    where p.id = any(${productIds}::bigint[]) and ${readable(sql`coalesce(d.path, '/' || r.tid)`)}
      and (u.asset_id is null or u.override_until > now()
        or (coalesce(u.valid_until > now(), true) and coalesce(u.valid_from <= now(), true)
          and coalesce(u.embargo_until <= now(), true)))`)

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
