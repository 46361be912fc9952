/** Every statement about templates of product extension objects. */
import type { Long } from '@kontor/contract'
import { columns } from '../../adapters/postgres/columns.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import type { ItemValue, TargetRow } from '../../common/api.ts'

const template = columns('peo_template', 'id', 'tid', 'name', 'attributes', 'meta')

/** Which value the output has, and whether it must have one. */
export interface Behaviour {
  readonly mode: 'inherited' | 'overridden' | 'hidden'
  readonly required: boolean
}
export interface TemplateRow {
  readonly id: number
  readonly tid: string
  readonly name: string
  /** By the tid of the attribute. A template without attributes has all attributes of the product. */
  readonly attributes: Readonly<Record<string, Behaviour>>
  readonly meta: readonly ItemValue[]
}

/** All templates: there are few. */
export const findTemplates = (db: Db) =>
  db.rows<TemplateRow>(sql`select ${template.select()} from peo_template order by id`)

/** Templates as objects that others use. */
export const describeTemplates = (db: Db, ids: readonly Long[], tids: readonly string[] = []) =>
  db.rows<TargetRow>(sql`
    select t.id, t.tid, t.name as path from peo_template t
    where t.id = any(${ids}::bigint[]) or t.tid = any(${tids}::text[])`)

export const insertTemplates = (db: Db, rows: readonly TemplateRow[], userName: string) =>
  db.run(sql`
    insert into peo_template (${template.names}, created_by, modified_by)
    select ${template.fields()}, ${userName}, ${userName} from ${template.recordset(rows)}`)

export const updateTemplates = (db: Db, rows: readonly TemplateRow[], userName: string) =>
  db.run(sql`
    update peo_template p set ${template.without('id', 'tid').set()}, modified_at = now(), modified_by = ${userName}
    from ${template.recordset(rows)} where p.id = n.id`)
