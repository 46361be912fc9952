/** A backup taken while the server is killed and connections are cut; it is restored elsewhere and compared. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { commands } from '../../server/src/admin/admin.ts'
import { connect, type Database } from '../../server/src/adapters/postgres/db.ts'
import { sql } from '../../server/src/adapters/postgres/sql.ts'
import { administer, withDatabase } from '../../server/test/database.ts'
import { verifyBackup } from '../../server/src/backup/verify.ts'
import type { Kontor } from '../kontor.ts'
import { historyFaults } from './check/follow.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'

/** A backup that fails because of the faults is repeated so often. */
const attempts = 4

export async function backUp(world: World, random: Random): Promise<undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-faults-backup-'))
  const target = join(folder, 'backup')
  try {
    for (let attempt = 1; ; attempt++) {
      const before = await changesIn(world.db)
      const taking = world.command('backup', target)
      const ended = once(taking.child, 'close')
      await pause(random.below(2000))
      if (attempt < attempts) await disturb(world, taking, random)
      await ended
      if (taking.child.exitCode === 0) {
        for (const fault of await restore(world, folder, target, before)) world.seen.push(`backup: ${fault}`)
        return undefined
      }
      if (attempt === attempts) throw new Error(`no backup without a fault: ${taking.output()}`)
      if (await countsAsWhole(target)) world.seen.push('a backup that failed counts as whole')
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const countsAsWhole = (folder: string) =>
  verifyBackup(folder).then(
    ({ faults }) => faults.length === 0,
    () => false,
  )

async function disturb(world: World, taking: Kontor, random: Random): Promise<void> {
  if (random.chance(0.2)) return void taking.child.kill('SIGKILL')
  if (random.chance(0.3)) return world.line.cut(() => random.chance(0.5))
  await world.kill()
  await world.start()
}

/** A backup has the history, but not the outbox: that belongs to one database server. */
const changesIn = async (db: Database) =>
  new Set((await db.rows<{ id: number }>(sql`select id from history`)).map(({ id }) => id))

/** Restores into a new database, and returns what is wrong with it. `before` had been committed when the backup began. */
async function restore(world: World, folder: string, backup: string, before: ReadonlySet<number>): Promise<string[]> {
  const { url } = world.postgres
  const name = `restored_${process.pid}_${Math.random().toString(36).slice(2)}`
  await administer(url, `create database ${name} template template0 encoding 'UTF8'`)
  const connectionString = withDatabase(url, name)
  const db = connect({ connectionString, max: 2 })
  try {
    const [data, archive] = ['data', 'archive'].map((name) => join(folder, name)) as [string, string]
    const env = { ...world.env, KONTOR_DATA: data, KONTOR_ARCHIVE: archive, DATABASE_URL: connectionString }
    const lines: string[] = []
    // The command checks references, trees, the audit log and the bytes of every file.
    const code = await commands
      .get('restore')!
      .run([backup], env, (line) => lines.push(line))
      .catch((error: Error) => lines.push(error.message))
    if (code !== 0) return [`the restored system is not whole: ${lines.join('; ')}`]
    const [restored, now] = [await changesIn(db), await changesIn(world.db)]
    const lost = [...before].filter((id) => !restored.has(id))
    const invented = [...restored].filter((id) => !now.has(id))
    return [
      ...(lost.length > 0 ? [`${lost.length} changes that were committed before are not in it`] : []),
      ...(invented.length > 0 ? [`${invented.length} changes of it were never committed`] : []),
      ...(await historyFaults(db)),
    ]
  } finally {
    await db.close()
    await administer(url, `drop database if exists ${name} with (force)`)
  }
}
