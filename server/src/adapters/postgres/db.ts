/**
 * The one way to the database: rows in, rows out, transactions and savepoints.
 *
 * A `Db` is either the pool (each statement on any connection) or one transaction; code that is handed a `Db` need not
 * know which. int8 arrives as a number (bigint above 2^53), timestamptz as Date, date as written, jsonb as parsed values.
 */
import type { Duplex } from 'node:stream'
import {
  Pool,
  types as parsers,
  type CustomTypesConfig,
  type PoolClient,
  type PoolConfig,
  type QueryConfig,
  type QueryResult,
} from 'pg'
import { statementName, type Sql } from './sql.ts'

export interface Db {
  rows<Row extends object>(statement: Sql): Promise<Row[]>
  row<Row extends object>(statement: Sql): Promise<Row | undefined>
  /** Runs a statement and returns how many rows it touched. */
  run(statement: Sql): Promise<number>
  /** Runs `work` in one transaction; inside a transaction, in a savepoint. An error rolls back and is thrown on. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
}

/**
 * Sends the last statements of a transaction at once; they go out together with the commit, which is void if one fails. It
 * throws, and does not reject, when it cannot make them.
 */
export type Closing = (db: Db) => Promise<unknown>

export interface Database extends Db {
  readonly pool: Pool
  transaction<T>(work: (db: Db) => Promise<T>, closing?: Closing): Promise<T>
  /**
   * Connections of their own to the same database, for whoever must not wait behind requests and reads by keys alone,
   * again and again; to be closed by him.
   */
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

// Compiling costs our short statements more than it saves.
const settings = '-c timezone=UTC -c jit=off'
/**
 * For statements that look up rows by their keys: planned once, because planning takes longer than to run them. Tables grow
 * meanwhile, so no plan may look through one, nor join two otherwise than by look-ups; and each lives as long as its
 * connection, a minute.
 */
const lookUps = {
  options: `${settings} -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off`,
  maxLifetimeSeconds: 60,
} as const satisfies PoolConfig

/** How long anything may take (milliseconds), and what must be alike on every server. */
export const poolDefaults = {
  max: 10,
  connectionTimeoutMillis: 5_000,
  statement_timeout: 30_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 30_000,
  keepAlive: true,
  // A statement need not wait for the answer to the one before it on the same connection.
  pipeline: true,
  application_name: 'kontor',
  // A statement is planned for its parameters every time: a plan kept from when the table was small would compare each of
  // a batch's thousand names with each of a million rows.
  options: `${settings} -c plan_cache_mode=force_custom_plan`,
} as const satisfies PoolConfig

export function connect(config: PoolConfig, onStatement: OnStatement = () => {}): Database {
  const pool = new Pool({ ...poolDefaults, types, ...config })
  // A connection that breaks is reported here, and by the next statement on it, which is where it matters.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  let closed: Promise<void> | undefined
  return {
    pool,
    ...statements((query) => pool.query(query), onStatement),
    beside: (max) => connect({ ...config, ...lookUps, max }, onStatement),
    async connection() {
      const client = await pool.connect()
      client.release()
      const { user, password, host, port, database, ssl } = client
      // The driver hides the key from whoever looks through its fields.
      const shown = typeof ssl === 'object' ? { ...(ssl as TlsOptions), key: (ssl as TlsOptions).key } : ssl
      return { ...config, connectionString: undefined, user, password, host, port, database, ssl: shown }
    },
    close: () => (closed ??= pool.end()),
    async transaction(work, closing) {
      const client = await pool.connect()
      const session: Session = { client, onStatement, begun: send(client, 'begin'), phase: 'beginning' }
      session.begun.then(
        () => (session.phase = 'begun'),
        () => {}, // told to the first statement
      )
      try {
        return await inTransaction(session, work, closing)
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
  readonly begun: Promise<unknown>
  /** Statements wait for the begin from the first that does more than read until it is answered. */
  phase: 'beginning' | 'waiting' | 'begun'
  broken?: Error
}

async function inTransaction<T>(session: Session, work: (db: Db) => Promise<T>, closing: Closing | undefined) {
  const { client } = session
  const { db, end } = level(session)
  try {
    const result = await work(db)
    await session.begun
    const last = closing?.(db)
    const fault = end()
    const [{ command }] = await Promise.all([send(client, 'commit'), last])
    if (command === 'ROLLBACK') throw ignored(fault)
    return result
  } catch (error) {
    end()
    await send(client, 'rollback').catch((fault: Error) => (session.broken = fault))
    throw error
  }
}

/** Neither statement about the savepoint is waited for: when one fails, so does everything after it, to the commit. */
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
    // One that is only undone stays open, with a lock of its own, and the next would open inside it.
    await outer
      .send(`rollback to savepoint ${name}; release savepoint ${name}`)
      .catch((fault: Error) => (session.broken = fault))
    throw error
  }
}

const ignored = (cause: unknown) =>
  new Error('nothing was kept: the error of a failed statement was ignored', { cause })

/** What is sent in one turn goes out in one piece: to write costs more than most of our statements do. */
function send(client: PoolClient, query: string | QueryConfig): Promise<QueryResult> {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Duplex } }).connection
  if (stream.writableCorked === 0) {
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
  return client.query(query)
}

interface Level {
  readonly db: Db
  readonly depth: number
  /** Sends in the order in which it is called, unless this level or one around it has ended. */
  send(query: string | QueryConfig): Promise<QueryResult>
  hasEnded(): boolean
  /** Returns the error of one of its statements, after which none can succeed. */
  end(): unknown
}

/**
 * One level of a transaction. What is not awaited inside it is refused, because it would run on a connection that
 * belongs to somebody else by then, or between the savepoints of a neighbour.
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
    return send(session.client, query)
  }
  const query = (config: QueryConfig) => {
    // What only reads goes along with the begin: should that fail, nothing is done outside of a transaction.
    if (session.phase === 'beginning' && !/^\s*select\b/.test(config.text)) session.phase = 'waiting'
    return sendInside(config).catch((error: unknown) => {
      fault = error
      throw error
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

/** A statement with more parameters is a batch: its text seldom comes again, so preparing it would only fill memory. */
const maxPreparedParameters = 32

function statements(
  query: (config: QueryConfig) => Promise<QueryResult>,
  onStatement: OnStatement,
): Omit<Db, 'transaction'> {
  const ask = async ({ text, values }: Sql) => {
    onStatement(text)
    const name = values.length > maxPreparedParameters ? undefined : statementName(text)
    return query({ name, text, values: values.map(toParameter) })
  }
  return {
    rows: async <Row extends object>(statement: Sql) => (await ask(statement)).rows as Row[],
    row: async <Row extends object>(statement: Sql) => (await ask(statement)).rows[0] as Row | undefined,
    run: async (statement: Sql) => (await ask(statement)).rowCount ?? 0,
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
