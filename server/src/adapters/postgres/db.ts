/**
 * The one way to the database: rows in, rows out, transactions and savepoints.
 *
 * A `Db` is either the pool (each statement on any connection) or one transaction; code that is handed a `Db` need not
 * know which. int8 arrives as a number (bigint above 2^53), timestamps as Date, jsonb as parsed values.
 */
import pg from 'pg'
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
  readonly pool: pg.Pool
  close(): Promise<void>
}

/** Called for every statement sent; tests count with it. */
export type OnStatement = (text: string) => void

const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8) return toLong
    return pg.types.getTypeParser(oid, format as 'text')
  },
}

export function connect(config: pg.PoolConfig, onStatement: OnStatement = () => {}): Database {
  const pool = new pg.Pool({ max: 10, types: types as pg.CustomTypesConfig, ...config })
  pool.on('error', () => {}) // an idle connection that the server closed; the next statement opens a new one
  const query = async (client: pg.Pool | pg.PoolClient, { text, values }: Sql) => {
    onStatement(text)
    return client.query({ name: statementName(text), text, values: values as unknown[] })
  }
  const inTransaction = (client: pg.PoolClient, level: number): Db => ({
    ...on(client),
    async transaction(work) {
      const savepoint = `s${level}`
      await client.query(`savepoint ${savepoint}`)
      try {
        const result = await work(inTransaction(client, level + 1))
        await client.query(`release savepoint ${savepoint}`)
        return result
      } catch (error) {
        await client.query(`rollback to savepoint ${savepoint}`)
        throw error
      }
    },
  })
  const on = (client: pg.Pool | pg.PoolClient) => ({
    rows: async <Row extends object>(statement: Sql) => (await query(client, statement)).rows as Row[],
    row: async <Row extends object>(statement: Sql) => (await query(client, statement)).rows[0] as Row | undefined,
    run: async (statement: Sql) => (await query(client, statement)).rowCount ?? 0,
  })
  return {
    pool,
    ...on(pool),
    close: () => pool.end(),
    async transaction(work) {
      const client = await pool.connect()
      let broken: Error | undefined
      try {
        await client.query('begin')
        const result = await work(inTransaction(client, 1))
        await client.query('commit')
        return result
      } catch (error) {
        await client.query('rollback').catch((fault: Error) => (broken = fault))
        throw error
      } finally {
        client.release(broken) // a connection that cannot roll back is thrown away
      }
    },
  }
}

function toLong(digits: string): number | bigint {
  const value = Number(digits)
  return Number.isSafeInteger(value) ? value : BigInt(digits)
}
