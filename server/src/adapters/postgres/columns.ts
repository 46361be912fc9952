/**
 * A resource names its columns once; the lists of its statements are made from that.
 *
 *   const glossary = columns('glossary', 'id', 'tid', 'parent_id', 'meta')
 *   export interface GlossaryRow extends Row<typeof glossary> {
 *     meta: ItemValue[]                       a jsonb or text column may be narrowed
 *   }
 *
 *   names           id, tid, parent_id, meta
 *   of('g')         g.id, g.tid, g.parent_id, g.meta
 *   select('g')     g.id, g.tid, g.parent_id as "parentId", g.meta
 *   fields('n')     n.id, n.tid, n."parentId", n.meta
 *   set('n')        id = n.id, tid = n.tid, parent_id = n."parentId", meta = n.meta
 *   recordset(rows) jsonb_to_recordset($1::jsonb) as n (id bigint, tid text, "parentId" bigint, meta jsonb)
 *   lines(rows)     the same relation, faster for many rows
 *
 * Columns and their types come from tables.ts, which is generated from the migrations. A statement or row type that uses
 * a renamed or changed column does not compile.
 */
import type { Declared, ValueOf } from './column-types.ts'
import { fragmentOf, join, type Sql, sql } from './sql.ts'
import { tables } from './tables.ts'

type Tables = typeof tables
type TableName = keyof Tables
type ColumnOf<T extends TableName> = keyof Tables[T] & string

/** The field of a column: `parent_id` is `parentId`. */
type FieldOf<C extends string> = C extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<FieldOf<Tail>>}` : C
const fieldOf = (column: string) => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

export interface Columns<T extends TableName, C extends ColumnOf<T>> {
  readonly table: T
  readonly columns: readonly C[]
  readonly names: Sql
  of(alias: string): Sql
  select(alias?: string): Sql
  fields(alias?: string): Sql
  set(alias?: string): Sql
  /** `extra` declares fields of the rows that are not columns: `"oldPath" text`. */
  recordset(rows: readonly object[], alias?: string, extra?: Sql): Sql
  /**
   * One text per column with a line per row. PostgreSQL splits lines much faster than it takes JSON apart. No value may
   * contain a line break, and an empty text arrives as null.
   */
  lines(rows: readonly object[], alias?: string): Sql
  without<W extends C>(...columns: W[]): Columns<T, Exclude<C, W>>
}

/** The row that `select` returns. */
export type Row<X> = X extends Columns<infer T, infer C> ? { [K in C as FieldOf<K>]: FieldValue<T, K> } : never
type FieldValue<T extends TableName, C extends ColumnOf<T>> = ValueOf<Extract<Tables[T][C], Declared>>

const typeOf = (declared: Declared) => declared.replace(/ not null$/, '')

/** The creator and the last editor of an object, with the dates. */
export const stampColumns = ['created_at', 'created_by', 'modified_at', 'modified_by'] as const

export function columns<T extends TableName, C extends ColumnOf<T>>(table: T, ...names: C[]): Columns<T, C> {
  const declared = tables[table] as unknown as Readonly<Record<C, Declared>>
  const all = names.map((name) => {
    const field = fieldOf(name)
    return { name, field, quoted: field === name ? name : `"${field}"`, type: typeOf(declared[name]) }
  })
  const list = (write: (column: (typeof all)[number]) => string) => fragmentOf(all.map(write).join(', '))
  return {
    table,
    columns: names,
    names: list(({ name }) => name),
    of: (alias) => list(({ name }) => `${alias}.${name}`),
    select: (alias) => {
      const prefix = alias === undefined ? '' : `${alias}.`
      return list(({ name, quoted }) => prefix + (quoted === name ? name : `${name} as ${quoted}`))
    },
    fields: (alias = 'n') => list(({ quoted }) => `${alias}.${quoted}`),
    set: (alias = 'n') => list(({ name, quoted }) => `${name} = ${alias}.${quoted}`),
    recordset(rows, alias = 'n', extra) {
      const types = list(({ quoted, type }) => `${quoted} ${type}`)
      const whole = extra ? sql`${types}, ${extra}` : types
      return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as ${fragmentOf(alias)} (${whole})`
    },
    lines(rows, alias = 'n') {
      const arrays = all.map(({ field, type }) => {
        const values = rows.map((row) => (row as Readonly<Record<string, unknown>>)[field])
        const text = (isJson(type) ? values.map((value) => JSON.stringify(value)) : values).join('\n')
        return sql`string_to_array(${text}, E'\n', '')::${fragmentOf(isJson(type) ? 'text' : type)}[]`
      })
      const typed = list(({ quoted, type }) => (isJson(type) ? `${quoted}::${type}` : quoted))
      return sql`(
        select ${typed} from unnest(${join(arrays)}) as line (${list(({ quoted }) => quoted)})
      ) as ${fragmentOf(alias)}`
    },
    without(...dropped) {
      const isKept = (name: C): name is Exclude<C, (typeof dropped)[number]> => !dropped.some((one) => one === name)
      return columns(table, ...names.filter(isKept))
    },
  }
}

const isJson = (type: string) => type === 'jsonb' || type === 'json'
