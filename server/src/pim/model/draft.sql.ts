/** The statements that write a draft: for each kind of row an update of the changed rows, then an insert of the new ones. */
import type { Db } from '../../adapters/postgres/db.ts'
import { type Sql, sql } from '../../adapters/postgres/sql.ts'
import type { AttributeRow, ClassificationRow, NodeRow } from './model.sql.ts'

export interface Written<Row> {
  readonly created: readonly Row[]
  readonly changed: readonly Row[]
}

async function write<Row>(
  db: Db,
  { created, changed }: Written<Row>,
  update: (rows: string) => Sql,
  insert: (rows: string) => Sql,
): Promise<void> {
  if (changed.length > 0) await db.run(update(JSON.stringify(changed)))
  if (created.length > 0) await db.run(insert(JSON.stringify(created)))
}

export const writeClassifications = (db: Db, rows: Written<ClassificationRow>, userName: string) =>
  write(
    db,
    rows,
    (changed) => sql`
      update classification c set name = n.name, modified_at = now(), modified_by = ${userName}
      from jsonb_to_recordset(${changed}::jsonb) as n (id bigint, name jsonb) where c.id = n.id`,
    (created) => sql`
      insert into classification (id, tid, name, created_by, modified_by)
      select id, tid, name, ${userName}, ${userName}
      from jsonb_to_recordset(${created}::jsonb) as n (id bigint, tid text, name jsonb)`,
  )

/** One statement updates all nodes, because nodes may swap their paths. */
export const writeNodes = (db: Db, rows: Written<NodeRow>, userName: string) =>
  write(
    db,
    rows,
    (changed) => sql`
      update node set classification_id = n."classificationId", parent_id = n."parentId", tid = n.tid, name = n.name,
        path = n.path, position = n.position, modified_at = now(), modified_by = ${userName}
      from jsonb_to_recordset(${changed}::jsonb)
        as n (id bigint, "classificationId" bigint, "parentId" bigint, tid text, name jsonb, path text, position bigint)
      where node.id = n.id`,
    (created) => sql`
      insert into node (id, classification_id, parent_id, tid, name, path, position, created_by, modified_by)
      select id, "classificationId", "parentId", tid, name, path, position, ${userName}, ${userName}
      from jsonb_to_recordset(${created}::jsonb)
        as n (id bigint, "classificationId" bigint, "parentId" bigint, tid text, name jsonb, path text, position bigint)`,
  )

const attributeColumns = sql`
  (id bigint, "nodeId" bigint, "definitionId" bigint, level text, inheritance text, restriction text, option text,
   cardinality int, "defaultVal" jsonb, "domainVals" jsonb, "domainRange" jsonb)`

export const writeAttributes = (db: Db, rows: Written<AttributeRow>, userName: string) =>
  write(
    db,
    rows,
    (changed) => sql`
      update node_attribute a set level = n.level, inheritance = n.inheritance, restriction = n.restriction,
        option = n.option, cardinality = n.cardinality, default_val = n."defaultVal", domain_vals = n."domainVals",
        domain_range = n."domainRange", modified_at = now(), modified_by = ${userName}
      from jsonb_to_recordset(${changed}::jsonb) as n ${attributeColumns} where a.id = n.id`,
    (created) => sql`
      insert into node_attribute (id, node_id, attr_def_id, level, inheritance, restriction, option, cardinality,
        default_val, domain_vals, domain_range, created_by, modified_by)
      select id, "nodeId", "definitionId", level, inheritance, restriction, option, cardinality,
        "defaultVal", "domainVals", "domainRange", ${userName}, ${userName}
      from jsonb_to_recordset(${created}::jsonb) as n ${attributeColumns}`,
  )

// Deletions name every row, instead of relying on cascades, so that each row has its history.

export const deleteClassifications = (db: Db, ids: readonly number[]) =>
  db.run(sql`delete from classification where id = any(${ids}::bigint[])`)

export const deleteNodes = (db: Db, ids: readonly number[]) =>
  db.run(sql`delete from node where id = any(${ids}::bigint[])`)

export const deleteAttributes = (db: Db, ids: readonly number[]) =>
  db.run(sql`delete from node_attribute where id = any(${ids}::bigint[])`)
