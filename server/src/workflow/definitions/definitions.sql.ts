/** All SQL for definitions. */
import type { Db } from '../../adapters/postgres/db.ts'
import { nothing, sql } from '../../adapters/postgres/sql.ts'

export interface DefinitionRow {
  readonly id: number
  readonly key: string
  readonly version: number
  readonly name: string
  readonly latest: boolean
  readonly deployedAt: Date
  readonly deployedBy: string
  readonly running: number
}

const columns = sql`
  d.id, d.key, d.version, d.name, d.deployed_at as "deployedAt", d.deployed_by as "deployedBy",
  not exists (select from workflow_definition n where n.key = d.key and n.version > d.version) as latest,
  (select count(*)::int from workflow_process p where p.definition_id = d.id and p.state = 'running') as running`

/** The newest version of each definition, or all versions of one. */
export const listDefinitions = (db: Db, key?: string) =>
  db.rows<DefinitionRow>(sql`
    select ${columns} from workflow_definition d
    where ${key === undefined ? sql`not exists (select from workflow_definition n where n.key = d.key and n.version > d.version)` : sql`d.key = ${key}`}
    order by d.key, d.version desc`)

export const findDefinition = (db: Db, id: number) =>
  db.row<DefinitionRow>(sql`select ${columns} from workflow_definition d where d.id = ${id}`)

export const findXml = async (db: Db, id: number) =>
  (await db.row<{ xml: string }>(sql`select xml from workflow_definition where id = ${id}`))?.xml

/** The version that a configuration names, else the newest. */
export const findVersion = (db: Db, key: string, version: number | null) =>
  db.row<{ id: number }>(sql`
    select id from workflow_definition where key = ${key}
    ${version === null ? nothing : sql`and version = ${version}`}
    order by version desc limit 1`)

/** Serializes deployments of one key, so that no version number is assigned twice. */
export const lockKey = (db: Db, key: string) => db.lock(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 17))`)

export const findNewest = (db: Db, key: string) =>
  db.row<{ id: number; version: number; xml: string; name: string; shipped: boolean }>(sql`
    select id, version, xml, name, shipped from workflow_definition where key = ${key} order by version desc limit 1`)

export const insertDefinition = async (
  db: Db,
  row: { key: string; version: number; name: string; xml: string; shipped: boolean; userName: string },
) =>
  (await db.writeRow<{ id: number }>(sql`
    insert into workflow_definition (key, version, name, xml, shipped, deployed_by)
    values (${row.key}, ${row.version}, ${row.name}, ${row.xml}, ${row.shipped}, ${row.userName})
    returning id`))!.id

export const findUsers = async (db: Db, id: number) =>
  await db.row<{ processes: number; configurations: string[] }>(sql`
    select (select count(*)::int from workflow_process where definition_id = d.id) as processes,
      array(
        select c.identifier from workflow_configuration c
        where c.definition_key = d.key and (c.definition_version = d.version or (
          c.definition_version is null and not exists (
            select from workflow_definition o where o.key = d.key and o.id <> d.id)))
        order by c.identifier) as configurations
    from workflow_definition d where d.id = ${id} for update`)

export const deleteDefinition = (db: Db, id: number) => db.run(sql`delete from workflow_definition where id = ${id}`)
