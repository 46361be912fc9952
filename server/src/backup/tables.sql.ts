/**
 * Statements about tables in general: list them with their references, and copy their rows out and in. Names of tables
 * and columns come quoted from the catalogue of the database, never from a file.
 */
import type { Session } from '../adapters/postgres/copy.ts'

export interface TableInfo {
  readonly name: string
  /** The quoted names of the columns that are not generated. */
  readonly columns: readonly string[]
  /** Columns with transaction ids, which have no meaning in another database. */
  readonly transactions: readonly string[]
  /** The tables it refers to. */
  readonly needs: readonly string[]
  /** Rows are copied by way of the table, so a backup does not depend on its partitions. */
  readonly partitions: readonly string[]
}

/**
 * Tables that are not backed up: the list of migrations, which is in the manifest, and the outbox with its consumers.
 * Positions in the outbox are transaction ids of one database; after a restore all consumers start again.
 */
const excluded = `('schema_migration', 'outbox', 'outbox_consumer', 'outbox_floor')`

/** Every table, in topological order: referenced tables come first. */
export async function listTables(client: Session): Promise<TableInfo[]> {
  const { rows } = await client.query<TableInfo>(`
    select quote_ident(c.relname) as name,
      array(select quote_ident(a.attname) from pg_attribute a
            where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      array(select quote_ident(a.attname) from pg_attribute a
            where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.atttypid = 'xid8'::regtype) as transactions,
      array(select distinct quote_ident(o.relname) from pg_constraint f join pg_class o on o.oid = f.confrelid
            where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as needs,
      array(select relid::text from pg_partition_tree(c.oid) where relid <> c.oid) as partitions
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname not in ${excluded} order by c.relname`)
  return topologicalOrder(rows)
}

function topologicalOrder(tables: readonly TableInfo[]): TableInfo[] {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const placed = new Set<TableInfo>()
  const place = (table: TableInfo, above: readonly string[]) => {
    if (placed.has(table)) return
    if (above.includes(table.name)) throw new Error(`the tables ${above.join(', ')} refer to each other`)
    for (const need of table.needs) if (byName.has(need)) place(byName.get(need)!, [...above, table.name])
    placed.add(table)
  }
  for (const table of tables) place(table, [])
  return [...placed]
}

/** The stored files are sorted, so that they can be compared with a folder in constant memory. */
export const copyOutOf = ({ name, columns }: Pick<TableInfo, 'name' | 'columns'>) =>
  name === 'blob'
    ? `copy (select ${columns.join(', ')} from blob order by sha256 collate "C") to stdout`
    : `copy (select ${columns.join(', ')} from ${name}) to stdout`
export const copyInto = ({ name }: Pick<TableInfo, 'name'>, columns: readonly string[]) =>
  `copy ${name} (${columns.join(', ')}) from stdin`

// Taking a snapshot

/** All statements until the end of the transaction see the same snapshot. */
export const beginSnapshot = (client: Session) =>
  client.query('begin transaction isolation level repeatable read, read only')

/** The pool's timeouts are meant for short statements. */
export const disableTimeouts = (client: Session) =>
  client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = 0')

/** Prevents the collection of unused files until the session ends; the collector takes the same lock exclusively. */
export const blockCollector = (client: Session) =>
  client.query(`select pg_advisory_lock_shared(hashtext('dam.collector'))`)

/** Releases both locks, regardless of the state of the transaction. */
export const releaseLocks = (client: Session) => client.query('rollback; select pg_advisory_unlock_all()')

/** Returns false if another backup is running. */
export const claimBackup = async (client: Session) =>
  (await client.query<{ mine: boolean }>(`select pg_try_advisory_lock(hashtext('backup')) as mine`)).rows[0]!.mine

export const findMigrations = async (client: Session) =>
  (
    await client.query<{ number: number; name: string; checksum: string }>(
      'select number, name, checksum from schema_migration order by number',
    )
  ).rows

/** Read after the snapshot was taken, so that no row of the snapshot has a higher number. */
export async function findSequences(client: Session): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; last: string }>(`
    select quote_ident(sequencename) as name, last_value::text as last from pg_sequences
    where schemaname = 'public' and last_value is not null order by 1`)
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
}

// Jobs: the tables of the queue belong to graphile-worker, so the columns are the parameters of its add_job function

export const jobColumns = ['identifier', 'payload', 'queue_name', 'run_at', 'max_attempts', 'key', 'priority']
export const hasJobs = async (client: Session) =>
  (await client.query<{ there: boolean }>(`select to_regclass('graphile_worker._private_jobs') is not null as there`))
    .rows[0]!.there
export const copyJobsOut = `copy (
  select t.identifier, j.payload, q.queue_name, j.run_at, j.max_attempts, j.key, j.priority
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
  left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
  where j.is_available or j.locked_at is not null order by j.id) to stdout`
export const prepareJobs = (client: Session) =>
  client.query(`create temporary table waiting_job (n serial, identifier text, payload json, queue_name text,
    run_at timestamptz, max_attempts int, key text, priority int) on commit drop`)
export const copyJobsIn = `copy waiting_job (${jobColumns.join(', ')}) from stdin`
export const addJobs = (client: Session) =>
  client.query(`
    select graphile_worker.add_job(identifier, payload := payload, queue_name := queue_name, run_at := run_at,
      max_attempts := max_attempts, job_key := key, priority := priority)
    from (select * from waiting_job order by n) as w`)

// Restoring to an empty database

export const isEmpty = async (client: Session) =>
  (
    await client.query<{ empty: boolean }>(`
      select not exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'S')) as empty`)
  ).rows[0]!.empty

/** Removes the rows that migrations inserted, and disables our triggers; foreign keys are still checked. */
export async function prepareTables(client: Session, tables: readonly TableInfo[]): Promise<void> {
  await client.query('set constraints all immediate')
  await switchTriggers(client, tables, 'disable')
  await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`)
}

/** Replaces transaction ids of the old database and enables the triggers again. */
export async function finishTables(client: Session, tables: readonly TableInfo[]): Promise<void> {
  await client.query('set constraints all immediate')
  for (const { name, transactions } of tables) {
    for (const column of transactions) await client.query(`update ${name} set ${column} = pg_current_xact_id()`)
  }
  await client.query('update outbox_floor set xid = pg_current_xact_id()')
  await switchTriggers(client, tables, 'enable')
}

/** PostgreSQL passes this on to partitions for row triggers only. */
async function switchTriggers(client: Session, tables: readonly TableInfo[], how: 'enable' | 'disable') {
  for (const name of tables.flatMap(({ name, partitions }) => [name, ...partitions]))
    await client.query(`alter table ${name} ${how} trigger user`)
}

export async function setSequences(client: Session, last: Readonly<Record<string, string>>): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(sequencename) as name from pg_sequences where schemaname = 'public'`,
  )
  for (const { name } of rows) {
    if (last[name] !== undefined) await client.query('select setval($1::regclass, $2::bigint)', [name, last[name]])
  }
}

export const createMigrationTable = (client: Session) =>
  client.query(`create table schema_migration (number integer primary key, name text not null, checksum text not null,
    applied_at timestamptz not null default now())`)

export const insertMigration = (
  client: Session,
  { number, name, checksum }: { number: number; name: string; checksum: string },
) => client.query('insert into schema_migration (number, name, checksum) values ($1, $2, $3)', [number, name, checksum])

/** The last row of the audit log, as `kontor audit verify` takes it. */
export const findAuditEnd = async (client: Session) =>
  (
    await client.query<{ end: string }>(
      `select seq || ':' || encode(hash, 'hex') as end from audit_event order by seq desc limit 1`,
    )
  ).rows[0]?.end
