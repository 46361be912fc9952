/** How a column type of PostgreSQL arrives in TypeScript (db.ts parses it). A new one in the schema needs a line here. */
interface ColumnTypes {
  bigint: number
  integer: number
  smallint: number
  'double precision': number
  real: number
  /** As text, because it may have more digits than a number. */
  numeric: string
  text: string
  'text[]': string[]
  'bigint[]': number[]
  'integer[]': number[]
  'smallint[]': number[]
  uuid: string
  xid8: string
  boolean: boolean
  date: string
  'timestamp with time zone': Date
  json: unknown
  jsonb: unknown
  bytea: Buffer
  /** As binary digits. */
  'bit(64)': string
  'bytea[]': Buffer[]
}
type ColumnType = keyof ColumnTypes

/** A column as tables.ts declares it. */
export type Declared = ColumnType | `${ColumnType} not null`

/** The value of a declared column. */
export type ValueOf<D extends Declared> = D extends `${infer Type extends ColumnType} not null`
  ? ColumnTypes[Type]
  : D extends ColumnType
    ? ColumnTypes[D] | null
    : never
