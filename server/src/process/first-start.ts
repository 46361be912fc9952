/**
 * Creates the first administrator on an empty database. A generated password is displayed once and stored in a file with
 * mode 0600.
 *
 * The file is written before the administrator is created. If the process is killed in between, the next start uses the
 * password of the file. In the opposite order there could be an administrator whose password nobody knows.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../adapters/postgres/db.ts'
import type { Config } from '../config.ts'
import { createHashProcess, createPasswords, ensureAdmin } from '../identity/module.ts'

export interface FirstAdmin {
  readonly password: string
  /** The file that contains the password. */
  readonly file: string
}

export async function ensureFirstAdmin(db: Database, config: Config): Promise<FirstAdmin | undefined> {
  if (config.oidcIssuer !== undefined) return undefined // the external provider has the administrators
  if (config.adminPassword !== undefined) {
    await createAdmin(db, config.adminPassword, false)
    return undefined
  }
  const file = join(config.data, 'admin-password')
  const existed = existsSync(file)
  if (!existed) writePassword(config.data, file)
  const password = readFileSync(file, 'utf8').trimEnd()
  const { created } = await createAdmin(db, password, true)
  if (created) return { password, file }
  if (!existed) rmSync(file)
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
