/**
 * The one way to the database: rows in, rows out, transactions and savepoints.
 *
 * A `Db` is either the pool (each statement on any connection) or one transaction; code that is handed a `Db` need not
 * know which. int8 arrives as a number (bigint above 2^53), timestamptz as Date, date as written, jsonb as parsed values.
 */
import { Pool, types as parsers, type CustomTypesConfig, type PoolClient, type PoolConfig } from 'pg'
import { statementName, type Sql } from './sql.ts'

export interface Db {
  rows<Row extends object>(statement: Sql): Promise<Row[]>
  row<Row extends object>(statement: Sql): Promise<Row | undefined>
  /** Runs a statement and returns how many rows it touched. */
  run(statement: Sql): Promise<number>
  /** Runs `work` in one transaction; inside a transaction, in a savepoint. An error rolls back and is thrown on. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
}

export interface Database extends Db {
  readonly pool: Pool
  /** Connections of their own to the same database, for whoever must not wait behind requests; to be closed by him. */
  beside(max: number): Database
  /** What another process connects with; the driver may have found some of it in the surroundings of this one. */
  connection(): Promise<ConnectionConfig>
  close(): Promise<void>
}

/** Plain data. */
export type ConnectionConfig = PoolConfig
type TlsOptions = Exclude<NonNullable<PoolConfig['ssl']>, boolean>

/** Called for every statement sent; tests count with it. */
export type OnStatement = (text: string) => void

/** How long anything may take (milliseconds), and what must be alike on every server. */
export const poolDefaults = {
  max: 10,
  connectionTimeoutMillis: 5_000,
  statement_timeout: 30_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 30_000,
  keepAlive: true,
  application_name: 'kontor',
  // Compiling costs our short statements more than it saves. A statement is planned for its parameters every time: a plan
  // kept from when the table was small would compare each of a batch's thousand names with each of a million rows.
  options: '-c timezone=UTC -c jit=off -c plan_cache_mode=force_custom_plan',
} as const satisfies PoolConfig

export function connect(config: PoolConfig, onStatement: OnStatement = () => {}): Database {
  const pool = new Pool({ ...poolDefaults, types, ...config })
  // A connection that breaks is reported here, and by the next statement on it, which is where it matters.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  let closed: Promise<void> | undefined
  return {
    pool,
    ...statements(pool, onStatement),
    beside: (max) => connect({ ...config, max }, onStatement),
    async connection() {
      const client = await pool.connect()
      client.release()
      const { user, password, host, port, database, ssl } = client
      // The driver hides the key from whoever looks through its fields.
      const shown = typeof ssl === 'object' ? { ...(ssl as TlsOptions), key: (ssl as TlsOptions).key } : ssl
      return { ...config, connectionString: undefined, user, password, host, port, database, ssl: shown }
    },
    close: () => (closed ??= pool.end()),
    async transaction(work) {
      const client = await pool.connect()
      const session: Session = { client, onStatement }
      try {
        return await within(session, ['begin', 'commit', 'rollback'], 1, work)
      } finally {
        client.release(session.broken) // a connection that cannot roll back is thrown away
      }
    },
  }
}

/** The connection of a transaction. */
interface Session {
  readonly client: PoolClient
  readonly onStatement: OnStatement
  broken?: Error
}

/** Runs `work` between a statement that begins and one that keeps the changes, or one that undoes them. */
async function within<T>(
  session: Session,
  [begin, keep, undo]: [string, string, string],
  depth: number,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const { client } = session
  const { db, end } = level(session, depth)
  try {
    await client.query(begin)
    const result = await work(db)
    end()
    const { command } = await client.query(keep)
    if (command === 'ROLLBACK') throw new Error('nothing was committed: the error of a failed statement was ignored')
    return result
  } catch (error) {
    end()
    await client.query(undo).catch((fault: Error) => (session.broken = fault))
    throw error
  }
}

/**
 * One level of a transaction. What is not awaited inside it is refused, because it would run on a connection that
 * belongs to somebody else by then, or between the savepoints of a neighbour.
 */
function level(session: Session, depth: number): { db: Db; end: () => void } {
  let state: 'open' | 'inside' | 'ended' = 'open'
  const check = () => {
    if (state === 'ended') throw new Error('the transaction has ended: await every statement inside it')
  }
  const db: Db = {
    ...statements(session.client, session.onStatement, check),
    async transaction(work) {
      check()
      if (state === 'inside') throw new Error('a transaction is open inside this one already: await it first')
      state = 'inside'
      const name = `level_${depth}`
      try {
        return await within(
          session,
          [`savepoint ${name}`, `release savepoint ${name}`, `rollback to savepoint ${name}`],
          depth + 1,
          work,
        )
      } finally {
        if (state === 'inside') state = 'open'
      }
    },
  }
  return { db, end: () => (state = 'ended') }
}

/** A statement with more parameters is a batch: its text seldom comes again, so preparing it would only fill memory. */
const maxPreparedParameters = 32

function statements(client: Pool | PoolClient, onStatement: OnStatement, check = () => {}): Omit<Db, 'transaction'> {
  const send = async ({ text, values }: Sql) => {
    check()
    onStatement(text)
    const name = values.length > maxPreparedParameters ? undefined : statementName(text)
    return client.query({ name, text, values: values.map(toParameter) })
  }
  return {
    rows: async <Row extends object>(statement: Sql) => (await send(statement)).rows as Row[],
    row: async <Row extends object>(statement: Sql) => (await send(statement)).rows[0] as Row | undefined,
    run: async (statement: Sql) => (await send(statement)).rowCount ?? 0,
  }
}

/** A list of texts or numbers as PostgreSQL reads it; the driver would try two regular expressions on each element. */
function toParameter(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  let text = ''
  for (const element of value as unknown[]) {
    const written = toElement(element)
    if (written === undefined) return value
    text += text === '' ? written : `,${written}`
  }
  return `{${text}}`
}

function toElement(element: unknown): string | undefined {
  if (typeof element === 'number' || typeof element === 'bigint') return String(element)
  if (typeof element !== 'string') return element === null ? 'NULL' : undefined
  return `"${/["\\]/.test(element) ? element.replace(/["\\]/g, '\\$&') : element}"`
}

const int8Array: number = 1016
const readInt8Array = parsers.getTypeParser(int8Array, 'text') as (text: string) => (string | null)[]
/** Where we read a type unlike the driver; it would make a local midnight of a date. */
const ownParsers = new Map<number, (text: string) => unknown>([
  [parsers.builtins.INT8, toLong],
  [int8Array, (text) => readInt8Array(text).map((digits) => (digits === null ? null : toLong(digits)))],
  [parsers.builtins.DATE, String],
])
const types = {
  getTypeParser: (oid: number, format: 'text') => ownParsers.get(oid) ?? parsers.getTypeParser(oid, format),
} as CustomTypesConfig

function toLong(digits: string): number | bigint {
  const value = Number(digits)
  return Number.isSafeInteger(value) ? value : BigInt(digits)
}
