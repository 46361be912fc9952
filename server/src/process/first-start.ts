/**
 * The first administrator: made once, on an empty database. A password made here is shown once and kept in a 0600 file.
 *
 * The file is written before the administrator exists. A process that is killed in between leaves a password that nobody
 * has, and the next start takes that one; the other way round there would be an administrator whom nobody can be.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../adapters/postgres/db.ts'
import type { Config } from '../config.ts'
import { createHashProcess, createPasswords, ensureAdmin } from '../identity/module.ts'

export interface FirstAdmin {
  readonly password: string
  /** Where the password is kept. */
  readonly file: string
}

export async function ensureFirstAdmin(db: Database, config: Config): Promise<FirstAdmin | undefined> {
  if (config.oidcIssuer !== undefined) return undefined // administrators come from there
  if (config.adminPassword !== undefined) {
    await createAdmin(db, config.adminPassword, false)
    return undefined
  }
  const file = join(config.data, 'admin-password')
  const wasThere = existsSync(file)
  if (!wasThere) writePassword(config.data, file)
  const password = readFileSync(file, 'utf8').trimEnd()
  const { created } = await createAdmin(db, password, true)
  if (created) return { password, file }
  if (!wasThere) rmSync(file)
  return undefined
}

/** Judges and hashes the password outside of the server, because the dictionaries would stay in its memory. */
async function createAdmin(db: Database, password: string, mustChangePassword: boolean) {
  const worker = createHashProcess()
  try {
    return await ensureAdmin(db, password, { mustChangePassword, passwords: createPasswords(worker) })
  } finally {
    worker.close()
  }
}

function writePassword(folder: string, file: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(file, `${randomBytes(18).toString('base64url')}\n`, { mode: 0o600, flush: true })
}
