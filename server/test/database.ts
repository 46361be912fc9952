/** A separate database for a test: a clone of the template of global-setup.ts, ready in a few milliseconds. */
import { randomBytes } from 'node:crypto'
import { Client, type PoolConfig } from 'pg'
import { inject } from 'vitest'

export interface TestDatabase {
  poolConfig: PoolConfig & { connectionString: string }
  drop(): Promise<void>
}

export async function createDatabase(): Promise<TestDatabase> {
  const { url, template } = inject('postgres')
  const name = `kontor_test_${randomBytes(8).toString('hex')}`
  await administer(url, `create database ${name} template ${template} strategy file_copy`)
  return {
    poolConfig: { connectionString: withDatabase(url, name) },
    drop: () => administer(url, `drop database if exists ${name} with (force)`),
  }
}

/** The URL of another database on the same server. */
export function withDatabase(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = name
  return other.href
}

export async function administer(url: string, statement: string): Promise<void> {
  // A connection that breaks makes the statement fail, too.
  const client = new Client({ connectionString: url }).on('error', () => {})
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
