/**
 * Statements about partitions. DDL takes no parameters, so names and times are written into the text: the names are those of
 * the tables in partitions.ts and of the catalogue, and the times are formatted here.
 */
import type { Db } from '../../adapters/postgres/db.ts'
import { fragmentOf, sql } from '../../adapters/postgres/sql.ts'

export interface Partition {
  readonly name: string
  readonly isDefault: boolean
  /** Null for the first partition, which has no beginning, and for the default. */
  readonly from: Date | null
  /** The first moment that is no longer in it; null for the default. */
  readonly to: Date | null
}

/** In the order of their times; the default comes last. */
export const findPartitions = (db: Db, table: string) =>
  db.rows<Partition>(sql`
    select c.relname as name, b.bound = 'DEFAULT' as "isDefault",
      substring(b.bound from 'FROM \\(''([^'']+)''\\)')::timestamptz as from,
      substring(b.bound from 'TO \\(''([^'']+)''\\)')::timestamptz as to
    from pg_inherits i join pg_class c on c.oid = i.inhrelid,
      lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) as b
    where i.inhparent = ${table}::regclass order by 4 nulls last`)

/** Returns false if another process changes the partitions of the table. Ends with the transaction. */
export const claim = async (db: Db, table: string) =>
  (await db.writeRow<{ mine: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtext('partitions'), hashtext(${table})) as mine`,
  ))!.mine

const ddl = (db: Db, text: string) => db.run(fragmentOf(text))
const literal = (at: Date) => `'${at.toISOString()}'`

/** Stops reads and writes of the table until the transaction ends. Gives up soon, because they all wait behind it. */
export async function lockTable(db: Db, table: string, timeoutMillis: number): Promise<void> {
  await ddl(db, `set local lock_timeout = ${timeoutMillis}`)
  await ddl(db, `lock table only ${table} in access exclusive mode`)
}

/** Whether it has rows, and its bytes without indexes. */
export const measure = async (db: Db, partition: string) =>
  (await db.row<{ hasRows: boolean; bytes: number }>(sql`
    select exists (select from ${fragmentOf(partition)}) as "hasRows", pg_relation_size(${partition}::regclass) as bytes`))!

export const findNewest = async (db: Db, partition: string) =>
  (await db.row<{ at: Date | null }>(sql`select max(at) as at from ${fragmentOf(partition)}`))!.at

// The end that the default partition is about to get: a constraint, which proves to ATTACH that it need not scan the rows

const limitName = (table: string) => `${table}_limit`

export interface Limit {
  readonly to: Date
  readonly isValid: boolean
}
export const findLimit = (db: Db, table: string, partition: string) =>
  db.row<Limit>(sql`
    select substring(pg_get_constraintdef(oid) from 'at < ''([^'']+)''')::timestamptz as to, convalidated as "isValid"
    from pg_constraint where conrelid = ${partition}::regclass and conname = ${limitName(table)}`)

/** Rows that exist are not checked yet; new ones are. */
export const addLimit = (db: Db, table: string, partition: string, from: Date | null, to: Date) =>
  ddl(
    db,
    `alter table ${partition} add constraint ${limitName(table)}
     check (${from ? `at >= ${literal(from)} and ` : ''}at < ${literal(to)}) not valid`,
  )
/** Scans the rows, without a lock that reads or writes would wait for. */
export async function validateLimit(db: Db, table: string, partition: string): Promise<void> {
  await ddl(db, 'set local statement_timeout = 0')
  await ddl(db, `alter table ${partition} validate constraint ${limitName(table)}`)
}
export const dropLimit = (db: Db, table: string, partition: string) =>
  ddl(db, `alter table ${partition} drop constraint ${limitName(table)}`)

// Making and removing

const bounds = (from: Date | null, to: Date) =>
  `for values from (${from ? literal(from) : 'minvalue'}) to (${literal(to)})`

/** The default partition gets an end, another name, and an empty default partition as its successor. */
export async function closeDefault(
  db: Db,
  table: string,
  partition: string,
  { name, from, to }: { name: string; from: Date | null; to: Date },
): Promise<void> {
  await ddl(db, `alter table ${table} detach partition ${partition}`)
  await ddl(db, `alter table ${partition} rename to ${name}`)
  await ddl(db, `alter table ${table} attach partition ${name} ${bounds(from, to)}`)
}

/** Without `range` it is the default partition. `key` is unique within the partition. */
export async function addPartition(
  db: Db,
  table: string,
  name: string,
  { range, key }: { range?: { from: Date; to: Date }; key: string | undefined },
): Promise<void> {
  const primaryKey = key === undefined ? '' : `, primary key (${key})`
  await ddl(db, `create table ${name} (like ${table} including defaults including constraints${primaryKey})`)
  const place = range === undefined ? 'default' : bounds(range.from, range.to)
  await ddl(db, `alter table ${table} attach partition ${name} ${place}`)
  await copyTruncateTriggers(db, table, name)
}

/** Row triggers of a table are copied to its partitions by PostgreSQL, those for TRUNCATE are not. */
async function copyTruncateTriggers(db: Db, table: string, name: string): Promise<void> {
  const triggers = await db.rows<{ name: string; run: string }>(sql`
    select tgname as name, tgfoid::regproc::text as run from pg_trigger
    where tgrelid = ${table}::regclass and not tgisinternal and tgtype & 32 <> 0`)
  for (const { name: trigger, run } of triggers)
    await ddl(db, `create trigger ${trigger} before truncate on ${name} for each statement execute function ${run}()`)
}

export const dropPartition = (db: Db, partition: string) => ddl(db, `drop table ${partition}`)
