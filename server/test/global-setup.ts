/**
 * One PostgreSQL server for a whole test run, with a template that has every migration applied (database.ts clones it).
 *
 * The server is embedded, in a temporary folder, without fsync: its data need not survive a crash.
 * KONTOR_TEST_DATABASE_URL selects another server to test against; its user must be allowed to create databases.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrateJobs } from '../src/adapters/jobs/jobs.ts'
import { connect } from '../src/adapters/postgres/db.ts'
import { startEmbedded } from '../src/adapters/postgres/embedded.ts'
import { migrate, readMigrations } from '../src/adapters/postgres/migrate.ts'
import { administer, withDatabase } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { url: string; template: string }
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openServer(process.env.KONTOR_TEST_DATABASE_URL)
  const template = `kontor_template_${randomBytes(4).toString('hex')}`
  try {
    await makeTemplate(server.url, template)
  } catch (error) {
    await server.stop()
    throw error
  }
  project.provide('postgres', { url: server.url, template })
  return async () => {
    await administer(server.url, `drop database ${template} with (force)`)
    await server.stop()
  }
}

async function openServer(external: string | undefined): Promise<{ url: string; stop(): Promise<void> }> {
  if (external) return { url: external, stop: async () => {} }
  const dataDir = await mkdtemp(join(tmpdir(), 'kontor-test-'))
  const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', shared_buffers: '128MB' }
  const { poolConfig, stop } = await startEmbedded({ dataDir, settings })
  const { user, password = '', host = '', port } = poolConfig
  return {
    url: `postgresql://${user}:${password}@localhost:${port}/postgres?host=${encodeURIComponent(host)}`,
    async stop() {
      await stop()
      await rm(dataDir, { recursive: true })
    },
  }
}

async function makeTemplate(url: string, template: string): Promise<void> {
  await administer(url, `create database ${template} template template0 encoding 'UTF8'`)
  const poolConfig = { connectionString: withDatabase(url, template) }
  const database = connect(poolConfig)
  await migrate(database, readMigrations(new URL('../migrations', import.meta.url)))
  await database.close()
  await migrateJobs(poolConfig)
}
