/** Every statement about stale texts. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { sourceLocale } from '../../common/api.ts'

/** A localized text that was written, and its locales. */
export interface WrittenText {
  readonly id: number
  readonly attr: string
  /** Its text was replaced by another, or removed. */
  readonly replaced: readonly string[]
  /** Its text was added, replaced or removed. */
  readonly changed: readonly string[]
  /** Its text is the same as before. */
  readonly kept: readonly string[]
}

/** Marks the translations of replaced source texts, and removes the marks of translations that were written. */
export const markStale = (db: Db, written: readonly WrittenText[]) =>
  db.run(sql`
    with written as (
      select * from jsonb_to_recordset(${JSON.stringify(written)}::jsonb)
        as w (id bigint, attr text, replaced text[], changed text[], kept text[])
    ), cleared as (
      delete from stale_text s using written w
      where s.product_id = w.id and s.attr = w.attr and s.locale = any(w.changed)
    ), source as (
      select ${sourceLocale} as tid
    )
    insert into stale_text (product_id, attr, locale, source)
    select w.id, w.attr, locale, source.tid from source join written w on source.tid = any(w.replaced), unnest(w.kept) locale
    on conflict (product_id, attr, locale) do update set source = excluded.source, since = excluded.since`)

export interface StaleRow {
  readonly productId: number
  readonly attr: string
  readonly locale: string
  readonly source: string
  readonly since: Date
}
export const findStale = (db: Db, ids: readonly number[]) =>
  db.rows<StaleRow>(sql`
    select product_id as "productId", attr, locale, source, since from stale_text
    where product_id = any(${ids}::bigint[]) order by product_id, attr, locale`)

export const removeMarks = (db: Db, marks: readonly Pick<StaleRow, 'productId' | 'attr' | 'locale'>[]) =>
  db.run(sql`
    delete from stale_text s
    using jsonb_to_recordset(${JSON.stringify(marks)}::jsonb) as m ("productId" bigint, attr text, locale text)
    where s.product_id = m."productId" and s.attr = m.attr and s.locale = m.locale`)

/** The stale texts of products, articles and variations in a locale. */
export const findStaleIn = (db: Db, productTids: readonly string[], locale: string) =>
  db.rows<{ product: string; article: string | null; variant: string | null; attr: string }>(sql`
    select r.tid as product, case p.level when 1 then p.tid when 2 then a.tid end as article,
           case p.level when 2 then p.tid end as variant, s.attr
    from product r
    join product p on p.id = r.id or p.root_id = r.id
    join stale_text s on s.product_id = p.id and s.locale = ${locale}
    left join product a on a.id = p.parent_id and p.level = 2
    where r.level = 0 and r.tid = any(${productTids}::text[])`)
