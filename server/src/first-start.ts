/** The first administrator: made once, on an empty database. A password made here is shown once and kept in a 0600 file. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from './adapters/postgres/db.ts'
import type { Config } from './config.ts'
import { ensureAdmin } from './identity/module.ts'

export async function ensureFirstAdmin(
  db: Database,
  config: Config,
): Promise<{ password: string; file: string } | undefined> {
  const { password } = await ensureAdmin(db, config.adminPassword)
  if (password === undefined) return undefined
  const file = join(config.data, 'admin-password')
  mkdirSync(config.data, { recursive: true, mode: 0o700 })
  writeFileSync(file, `${password}\n`, { mode: 0o600 })
  return { password, file }
}
