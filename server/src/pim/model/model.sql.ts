/** Every statement about the model as a whole: its version, its locks, and all of its rows. */
import type { DefaultValue, DomainRange, DomainVals, Infer } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { sourceLocale } from '../../common/api.ts'
import type { DefinitionRow, ForbiddenWord, Names, Term, Versioned } from '../../values/api.ts'

export interface ClassificationRow extends Versioned {
  readonly id: number
  readonly tid: string
  readonly name: Names
}
/** A group of attributes. The definitions of its attributes name it. */
export interface GroupRow extends Versioned {
  readonly id: number
  readonly tid: string
  readonly name: Names
  readonly pos: number
}
export interface NodeRow extends Versioned {
  readonly id: number
  readonly classificationId: number
  readonly parentId: number | null
  readonly tid: string
  readonly name: Names
  /** The tids from the root down: /Standard/Shoes. */
  readonly path: string
  readonly position: number
}
export interface AttributeRow extends Versioned {
  readonly id: number
  readonly nodeId: number
  readonly definitionId: number
  /** Letters of p, a and v, in this order. */
  readonly level: string | null
  readonly inheritance: 'visible' | 'not_visible' | null
  readonly restriction: 'optional' | 'required' | 'mandatory' | null
  readonly option: 'READONLY' | 'OVERWRITE' | 'SYNCHRONIZED' | null
  readonly cardinality: number | null
  readonly defaultVal: Infer<typeof DefaultValue> | null
  readonly domainVals: Infer<typeof DomainVals> | null
  readonly domainRange: Infer<typeof DomainRange> | null
}

interface ModelVersion {
  readonly version: number
  /** Whether the current transaction has changed the model. */
  readonly own: boolean
}
export interface ModelRows extends ModelVersion {
  /** The ids of deleted rows. */
  readonly gone: readonly number[]
  readonly definitions: readonly DefinitionRow[]
  readonly groups: readonly GroupRow[]
  readonly classifications: readonly ClassificationRow[]
  readonly nodes: readonly NodeRow[]
  readonly attributes: readonly AttributeRow[]
  /** All forbidden words of glossaries; null if none has changed. */
  readonly words: readonly ForbiddenWord[] | null
  /** All terms of enforced glossaries; as words. */
  readonly terms: readonly Term[] | null
}

/** Excludes other changes of the model, and writers of products, until the transaction ends. */
export const lockModel = (db: Db) => db.lock(sql`select pg_advisory_xact_lock(hashtext('pim_model'))`)
/** Keeps the model from being changed until the transaction ends. Any number of transactions may hold it. */
export const holdModel = (db: Db) => db.lock(sql`select pg_advisory_xact_lock_shared(hashtext('pim_model'))`)

const own = sql`coalesce(m.xid = pg_current_xact_id_if_assigned(), false)`

export const findVersion = async (db: Db) =>
  (await db.row<ModelVersion>(sql`select m.version, ${own} as own from pim_model m`))!

/** An entry is forbidden in its own locale, a translation in its locale. */
const forbiddenWords = sql`
  select coalesce(json_agg(json_build_object(
    'id', e.id, 'locale', w.locale, 'value', w.value, 'instead', w.instead, 'enforcement', g.enforcement) order by e.id), '[]')
  from glossary_entry e join glossary g on g.id = e.glossary_id cross join lateral (
    select e.loc as locale, e.value, (
      select i ->> 'value' from jsonb_array_elements(e.meta) i where i ->> 'key' = 'useInstead' limit 1) as instead
    where e.forbidden
    union all
    select t.key, t.value ->> 'value', t.value ->> 'useInstead'
    from jsonb_each(e.translations) t where t.value -> 'forbidden' = 'true') w
  where has_forbidden(e.forbidden, e.translations)`

/** Translations of the terms of enforced glossaries out of the language from which texts are translated. */
const enforcedTerms = sql`
  select coalesce(json_agg(json_build_object(
    'source', e.loc, 'term', e.value, 'locale', t.key, 'value', t.value ->> 'value', 'enforcement', g.enforcement) order by e.id), '[]')
  from glossary g join glossary_entry e on e.glossary_id = g.id cross join lateral jsonb_each(e.translations) t
  where g.enforcement <> 'off' and e.type = 'term' and not e.forbidden and e.loc = ${sourceLocale} and t.key <> e.loc
    and t.value -> 'forbidden' is distinct from 'true'`

/** The rows that are newer than a version (0 for all), and those deleted since; one statement, hence of one state. */
export const findRows = async (db: Db, after: number) =>
  (await db.row<ModelRows>(sql`
    select m.version, ${own} as own,
      (select coalesce(json_agg(g.id), '[]') from pim_model_gone g
       where g.version > ${after}::bigint and ${after}::bigint > 0) as gone,
      (select coalesce(json_agg(json_build_object(
         'id', d.id, 'version', d.version, 'tid', d.tid, 'type', d.type, 'localized', d.localized, 'multi', d.multi,
         'definition', d.definition, 'stamps', json_build_object('createdAt', d.created_at, 'createdBy', d.created_by,
           'modifiedAt', d.modified_at, 'modifiedBy', d.modified_by)) order by d.id), '[]')
       from attr_def d where d.version > ${after}::bigint) as definitions,
      (select coalesce(json_agg(json_build_object(
         'id', g.id, 'version', g.version, 'tid', g.tid, 'name', g.name, 'pos', g.pos)), '[]')
       from attr_group g where g.version > ${after}::bigint) as groups,
      (select coalesce(json_agg(json_build_object(
         'id', c.id, 'version', c.version, 'tid', c.tid, 'name', c.name) order by c.id), '[]')
       from classification c where c.version > ${after}::bigint) as classifications,
      (select coalesce(json_agg(json_build_object(
         'id', n.id, 'version', n.version, 'classificationId', n.classification_id, 'parentId', n.parent_id, 'tid', n.tid, 'name', n.name,
         'path', n.path, 'position', n.position) order by n.id), '[]')
       from node n where n.version > ${after}::bigint) as nodes,
      (select coalesce(json_agg(json_build_object(
         'id', a.id, 'version', a.version, 'nodeId', a.node_id, 'definitionId', a.attr_def_id, 'level', a.level,
         'inheritance', a.inheritance, 'restriction', a.restriction, 'option', a.option,
         'cardinality', a.cardinality, 'defaultVal', a.default_val, 'domainVals', a.domain_vals,
         'domainRange', a.domain_range) order by a.id), '[]')
       from node_attribute a where a.version > ${after}::bigint) as attributes,
      case when m.words_version > ${after}::bigint then (${forbiddenWords}) end as words,
      case when m.words_version > ${after}::bigint then (${enforcedTerms}) end as terms
    from pim_model m`))!
