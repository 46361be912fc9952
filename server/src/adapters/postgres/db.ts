/**
 * The one way to the database: rows in, rows out, transactions and savepoints.
 *
 * A `Db` is either the pool (each statement on any connection) or one transaction; code that receives a `Db` need not know
 * which. int8 arrives as a number (bigint above 2^53), timestamptz as Date, date as text, jsonb as parsed values.
 *
 * The caller declares by the method whether a statement changes something, because a transaction sends reads and locks
 * together with its BEGIN:
 *
 *   rows, row                 read; they may also lock the rows that they return (for update, for key share)
 *   lock                      takes a lock that ends with the transaction
 *   run, writeRows, writeRow  may change anything
 *
 * Should the BEGIN fail, a read or lock that was sent with it runs outside of a transaction and leaves nothing behind. A
 * write would be kept, so it waits until the BEGIN has been confirmed. The test server rejects a write declared as a read.
 */
import {
  Pool,
  types as parsers,
  type CustomTypesConfig,
  type PoolClient,
  type PoolConfig,
  type QueryConfig,
  type QueryResult,
} from 'pg'
import { batchingSocket } from './batching-socket.ts'
import { type ByteReader, createByteReader } from './copy.ts'
import { statementName, type Sql } from './sql.ts'
import { traced } from './traced.ts'

export interface Db {
  /** Reads rows. */
  rows<Row extends object>(statement: Sql): Promise<Row[]>
  /** Reads at most one row. */
  row<Row extends object>(statement: Sql): Promise<Row | undefined>
  /** Takes a lock until the end of the transaction. */
  lock(statement: Sql): Promise<void>
  /** Runs a statement that may change something and returns the number of affected rows. */
  run(statement: Sql): Promise<number>
  /** Like `run`, and returns rows: `insert … returning`. */
  writeRows<Row extends object>(statement: Sql): Promise<Row[]>
  writeRow<Row extends object>(statement: Sql): Promise<Row | undefined>
  /** Runs `work` in one transaction, or in a savepoint of the current one. Rolls back on an error and rethrows it. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Connections that plan each statement once; absent inside a transaction. See `byKey`. */
  readonly lookUps?: Database
  /** Reads a large bytea by a COPY statement; absent inside a transaction. See copy.ts. */
  readonly readBytes?: ByteReader['read']
}

/**
 * For statements that find a few rows by key, which take longer to plan than to run. A transaction keeps its connection.
 */
export const byKey = <D extends Db>(db: D): D | Database => db.lookUps ?? db

/**
 * Sends the last statements of a transaction, all in one turn. They travel together with the COMMIT, which becomes a
 * rollback if one of them fails. Throws synchronously if it cannot build a statement.
 */
type Closing = (db: Db) => Promise<unknown>

export interface Database extends Db {
  readonly pool: Pool
  transaction<T>(work: (db: Db) => Promise<T>, closing?: Closing): Promise<T>
  /** A second pool for key look-ups that must not queue behind requests. The caller closes it. */
  separatePool(max: number): Database
  /** The settings for another process to connect with, including those that the driver read from the environment. */
  connection(): Promise<ConnectionConfig>
  close(): Promise<void>
}

/** Plain data. */
export type ConnectionConfig = PoolConfig
type TlsOptions = Exclude<NonNullable<PoolConfig['ssl']>, boolean>

/** The effect of a statement that the caller declares. */
export type Effect = 'read' | 'lock' | 'write'
/** Called for every statement before it is sent; tests count and check statements with it. */
type OnStatement = (text: string, effect: Effect) => void

// JIT compilation costs our short statements more than it saves. With keep-alive the server ends the sessions of a machine
// that has disappeared from the network after six seconds instead of two hours, and with them their locks.
const keepAlive = '-c tcp_keepalives_idle=3 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=3'
const settings = `-c timezone=UTC -c jit=off ${keepAlive}`
/**
 * For statements that look up rows by key: planned once per connection, because planning takes longer than running them.
 * Tables may grow under a kept plan, so sequential scans and hash or merge joins are off, and a connection (with its plans)
 * lives for one minute.
 */
const lookUps = {
  options: `${settings} -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off`,
  maxLifetimeSeconds: 60,
} as const satisfies PoolConfig

/** Time limits (milliseconds) and the settings that must be the same on every server. */
export const poolDefaults = {
  max: 10,
  connectionTimeoutMillis: 5_000,
  statement_timeout: 30_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 30_000,
  keepAlive: true,
  // A statement is sent before the reply to the previous one on the same connection has arrived.
  pipeline: true,
  application_name: 'kontor',
  // Plan every execution for its parameters: a generic plan made while the table was small would compare each of a
  // batch's thousand names with each of a million rows.
  options: `${settings} -c plan_cache_mode=force_custom_plan`,
} as const satisfies PoolConfig

export function connect(config: PoolConfig, onStatement: OnStatement = () => {}): Database {
  const pool = new Pool({ ...poolDefaults, types, stream: batchingSocket, ...config })
  // The next statement on a broken connection fails too, and that error reaches somebody who can act on it.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  let closed: Promise<void> | undefined
  let lookUpPool: Database | undefined
  let byteReader: ByteReader | undefined
  return {
    pool,
    readBytes: (statement) => (byteReader ??= createByteReader(pool.options)).read(statement),
    ...statements((query) => pool.query(query), onStatement),
    get lookUps() {
      return (lookUpPool ??= connect({ ...config, ...lookUps, max: Math.ceil(pool.options.max / 2) }, onStatement))
    },
    separatePool: (max) => connect({ ...config, ...lookUps, max }, onStatement),
    async connection() {
      const client = await pool.connect()
      client.release()
      const { user, password, host, port, database, ssl } = client
      // The driver makes `key` non-enumerable, so that a spread alone would drop it.
      const tls = typeof ssl === 'object' ? { ...(ssl as TlsOptions), key: (ssl as TlsOptions).key } : ssl
      return { ...config, connectionString: undefined, user, password, host, port, database, ssl: tls }
    },
    close: () => (closed ??= Promise.all([pool.end(), lookUpPool?.close(), byteReader?.close()]).then(() => undefined)),
    async transaction(work, closing) {
      const client = await pool.connect()
      const session: Session = { client, onStatement, begun: client.query('begin'), phase: 'beginning' }
      session.begun.then(
        () => (session.phase = 'begun'),
        () => {}, // the first write, or the commit, reports it
      )
      try {
        return await inTransaction(session, work, closing)
      } finally {
        client.release(session.broken) // discards a connection that could not roll back
      }
    },
  }
}

/** The connection of a transaction. */
interface Session {
  readonly client: PoolClient
  readonly onStatement: OnStatement
  readonly begun: Promise<unknown>
  /** `waiting` from the first write until the BEGIN is confirmed: all later statements wait too, to keep their order. */
  phase: 'beginning' | 'waiting' | 'begun'
  /** Set when a rollback failed, so that the state of the connection is unknown. */
  broken?: Error
  /** The last error of a statement that itself failed. */
  failure?: unknown
}

/** A statement after one that failed: PostgreSQL does not run it. */
const isAborted = (error: unknown) => (error as { code?: string }).code === '25P02'

async function inTransaction<T>(session: Session, work: (db: Db) => Promise<T>, closing: Closing | undefined) {
  const { client } = session
  const { db, end } = level(session)
  try {
    const result = await work(db)
    await session.begun
    const last = closing?.(db)
    const fault = end()
    const [{ command }] = await Promise.all([traced('commit', () => client.query('commit')), last])
    if (command === 'ROLLBACK') throw ignored(fault)
    return result
  } catch (error) {
    end()
    await client.query('rollback').catch((fault: Error) => (session.broken = fault))
    throw error
  }
}

/** Neither savepoint statement is awaited: if one fails, so does every later statement up to the commit. */
async function inSavepoint<T>(session: Session, outer: Level, work: (db: Db) => Promise<T>): Promise<T> {
  const name = `level_${outer.depth}`
  const { db, end } = level(session, outer)
  outer.send(`savepoint ${name}`).catch(() => {})
  try {
    const result = await work(db)
    const fault = end()
    if (fault) throw ignored(fault)
    outer.send(`release savepoint ${name}`).catch(() => {})
    return result
  } catch (error) {
    end()
    // A savepoint that is only rolled back stays open, keeps a lock, and the next one would nest inside it.
    await outer
      .send(`rollback to savepoint ${name}; release savepoint ${name}`)
      .catch((fault: Error) => (session.broken = fault))
    throw error
  }
}

const ignored = (cause: unknown) =>
  new Error('nothing was kept: the error of a failed statement was ignored', { cause })

interface Level {
  readonly db: Db
  readonly depth: number
  /** Sends in call order. Throws once this level or an enclosing one has ended. */
  send(query: string | QueryConfig): Promise<QueryResult>
  hasEnded(): boolean
  /** Ends the level. Returns the error of a failed statement, if any; the level cannot be kept then. */
  end(): unknown
}

/**
 * One level of a transaction. A statement that was not awaited inside it is rejected: it would run on a connection that
 * another transaction uses by then, or inside the savepoint of a sibling.
 */
function level(session: Session, outer?: Level): Level {
  let fault: unknown
  let state: 'open' | 'inside' | 'ended' = 'open'
  const hasEnded = () => state === 'ended' || (outer?.hasEnded() ?? false)
  const check = () => {
    if (hasEnded()) throw new Error('the transaction has ended: await every statement inside it')
  }
  const sendInside = async (query: string | QueryConfig) => {
    if (session.phase === 'waiting') await session.begun
    check()
    return session.client.query(query)
  }
  const query = (config: QueryConfig, effect: Effect) => {
    if (session.phase === 'beginning' && effect === 'write') session.phase = 'waiting'
    return sendInside(config).catch((error: unknown) => {
      // Of statements that were sent together, the caller may see the refusal of a later one before the cause of it.
      if (!isAborted(error)) session.failure = error
      fault = isAborted(error) ? (session.failure ?? error) : error
      throw fault
    })
  }
  const db: Db = {
    ...statements(query, session.onStatement),
    async transaction(work) {
      check()
      if (state === 'inside') throw new Error('a transaction is open inside this one already: await it first')
      state = 'inside'
      try {
        return await inSavepoint(session, self, work)
      } finally {
        if (state === 'inside') state = 'open'
      }
    },
  }
  const self: Level = {
    db,
    depth: (outer?.depth ?? 0) + 1,
    send: sendInside,
    hasEnded,
    end() {
      state = 'ended'
      return fault
    },
  }
  return self
}

/** A statement with more parameters is a batch. Its text is rarely sent again, so preparing it would only use memory. */
const maxPreparedParameters = 32

function statements(
  query: (config: QueryConfig, effect: Effect) => Promise<QueryResult>,
  onStatement: OnStatement,
): Omit<Db, 'transaction'> {
  const send = async ({ text, values }: Sql, effect: Effect) => {
    onStatement(text, effect)
    const name = values.length > maxPreparedParameters ? undefined : statementName(text)
    const config = { name, text, values: values.map(toParameter) }
    return traced(text, () => query(config, effect))
  }
  const rowsOf =
    (effect: Effect) =>
    async <Row extends object>(statement: Sql) =>
      (await send(statement, effect)).rows as Row[]
  const rowOf =
    (effect: Effect) =>
    async <Row extends object>(statement: Sql) =>
      (await send(statement, effect)).rows[0] as Row | undefined
  return {
    rows: rowsOf('read'),
    row: rowOf('read'),
    lock: async (statement) => void (await send(statement, 'lock')),
    run: async (statement) => (await send(statement, 'write')).rowCount ?? 0,
    writeRows: rowsOf('write'),
    writeRow: rowOf('write'),
  }
}

/** Encodes a list of texts or numbers as an array literal; the driver would run two regular expressions per element. */
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
/** Types that we parse differently from the driver, which would turn a date into local midnight. */
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
