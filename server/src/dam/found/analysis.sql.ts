/** SQL statements about how files look and what they say: stored once for equal bytes. */
import type { Db } from '../../adapters/postgres/db.ts'
import { type Sql, sql } from '../../adapters/postgres/sql.ts'
import { holdOf } from '../care/hold.sql.ts'
import type { Made } from '../assets/previews/message.ts'

/** The look of a picture, the text of a document or the waveform of a sound. If all are missing, the note says why. */
export interface Analysis extends Pick<Made, 'look' | 'pages' | 'peaks'> {
  readonly note?: string | undefined
}

export const isPicture = (mime: string) => mime.startsWith('image/')
/** Films and sounds. */
export const isMedia = (mime: string) => /^(?:video|audio)\//.test(mime)
/** Formats whose text only LibreOffice reads. */
export const oldOffice = [
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/rtf',
]
/** Media types whose text the previews can read begin with one of these. */
const textTypes = [
  'application/pdf',
  'application/illustrator',
  'application/vnd.openxmlformats-officedocument.',
  'application/vnd.oasis.opendocument.',
  ...oldOffice,
]
export const hasText = (mime: string) => textTypes.some((type) => mime.startsWith(type))

/** The look of the file of the asset `e`. */
export const lookOf = sql`(
  select jsonb_build_object('colours', a.colours, 'colourValues', a.colour_values, 'note', a.note)
  from file_analysis a where a.sha256 = e.sha256)`
export interface LookRow {
  readonly colours: readonly string[]
  readonly colourValues: readonly string[]
  readonly note: string | null
}

/** A file whose analysis failed is analysed again with its next import. */
export const isAnalysed = async (db: Db, sha256: string) =>
  (await db.rows(sql`select from file_analysis where sha256 = ${sha256} and note is null`)).length > 0

const maxNote = 500

/** Replaces an earlier analysis of the same bytes. */
export async function writeAnalysis(
  db: Db,
  sha256: string,
  { look, pages = [], peaks, note }: Analysis,
): Promise<void> {
  const colours = look?.colours ?? []
  await db.run(sql`
    insert into file_analysis (sha256, colours, colour_values, hash, peaks, note)
    values (${sha256}, ${colours.map(({ name }) => name)}::text[], ${colours.map(({ hex }) => hex)}::text[],
      ('x' || ${look?.hash ?? null}::text)::bit(64), ${peaks ?? null}::smallint[], ${note?.slice(0, maxNote) ?? null})
    on conflict (sha256) do update set colours = excluded.colours, colour_values = excluded.colour_values,
      hash = excluded.hash, peaks = excluded.peaks, note = excluded.note, analysed_at = now()`)
  await db.run(sql`delete from file_page where sha256 = ${sha256}`)
  await db.run(sql`
    insert into file_page (sha256, page, text)
    select ${sha256}, p.page, p.text from unnest(${pages}::text[]) with ordinality as p (text, page) where p.text <> ''`)
}

interface Unanalysed {
  readonly sha256: string
  readonly mime: string
  readonly name: string
}
/** Files of assets that were stored before there was an analysis, or without an import. */
export const findUnanalysed = (db: Db, after: string, limit: number) =>
  db.rows<Unanalysed>(sql`
    select distinct on (e.sha256) e.sha256, e.mime, e.name from dam_entry e
    where e.kind = 'asset' and e.deleted_at is null and e.import_status in ('available', 'incomplete')
      and e.sha256 > ${after} and e.mime ^@ any(${['image/', ...textTypes]}::text[])
      and not exists (select from file_analysis a where a.sha256 = e.sha256) and ${holdOf(sql`e.sha256`)} is null
    order by e.sha256, e.id limit ${limit}`)

/** Makes the search read the assets with this file again. */
export const announceFile = (db: Db, sha256: string) =>
  db.run(sql`
    insert into outbox (object_id, data_type, event, user_name)
    select id, 'asset', 'UPDATE', 'system' from dam_entry
    where sha256 = ${sha256} and kind = 'asset' and deleted_at is null`)

/** The text of documents by page; a page without text has no row. */
export const readPages = (db: Db, files: readonly string[]) =>
  db.rows<{ sha256: string; page: number; text: string }>(sql`
    select sha256, page, text from file_page where sha256 = any(${files}::text[])`)

// Pictures that look alike

const isLive = sql`e.kind = 'asset' and e.deleted_at is null`
const place = sql`dam_entry e join rnc r on r.id = e.rnc_id left join dam_entry d on d.id = e.parent_id`

export interface Similar {
  readonly id: number
  readonly similarTo: string
  readonly distance: number
}
/** Compares each of the assets with the hashes of all pictures in one pass. */
export const findSimilar = (db: Db, ids: readonly number[], visible: Sql, distance: number, limit: number) =>
  db.rows<Similar>(sql`
    with target as materialized (
      select t.id, t.tid, a.hash from dam_entry t join file_analysis a on a.sha256 = t.sha256
      where t.id = any(${ids}::bigint[]) and a.hash is not null
    ), near as materialized (
      select t.id, t.tid, a.sha256, bit_count(a.hash # t.hash)::int as distance
      from target t join file_analysis a on bit_count(a.hash # t.hash) <= ${distance}
    )
    select e.id, n.tid as "similarTo", n.distance from ${place} join near n on n.sha256 = e.sha256
    where ${isLive} and ${visible} and e.id <> n.id order by n.id, n.distance, e.id limit ${limit}`)

export const maxNearDistance = 4

/**
 * All visible assets that look almost like another visible one, group by group.
 *
 * Hashes that differ in at most 4 bits are equal in at least one of 5 parts, so only hashes with an equal part are
 * compared. Equal hashes count once, or thousands of copies of one picture would all be compared with each other.
 */
export const findNearDuplicates = (db: Db, visible: Sql, distance: number, limit: number) =>
  db.rows<{ id: number; group: string }>(sql`
    with seen as materialized (
      select e.id, e.tid, a.hash from ${place} join file_analysis a on a.sha256 = e.sha256
      where ${isLive} and ${visible} and a.hash is not null
    ), looks as materialized (
      select hash, count(*) as files from seen group by hash
    ), part as materialized (
      select hash, n, substring(hash from n * 13 + 1 for 13) as bits from looks cross join generate_series(0, 4) as n
    ), near as (
      select hash, hash::text as other from looks where files > 1
      union all
      select a.hash, b.hash::text from part a join part b on b.n = a.n and b.bits = a.bits
      where a.hash <> b.hash and bit_count(a.hash # b.hash) <= ${distance}
    ), grouped as (
      select hash, least(hash::text, min(other)) as first from near group by hash
    )
    select s.id, first_value(s.tid) over (partition by g.first order by s.id) as "group"
    from seen s join grouped g on g.hash = s.hash order by g.first, s.id limit ${limit}`)
