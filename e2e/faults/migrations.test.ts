/**
 * The server is killed (kill -9) while it brings the schema up to date, right before and right after the commit of migrations.
 * Each time the next start goes on behind the last migration that was committed; the schema is that of one that was never
 * killed, and the server works.
 */
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { connect } from '../../server/src/adapters/postgres/db.ts'
import { readMigrations } from '../../server/src/adapters/postgres/migrate.ts'
import { dumpSchema } from '../../server/src/adapters/postgres/schema.ts'
import { sql } from '../../server/src/adapters/postgres/sql.ts'
import { administer, withDatabase } from '../../server/test/database.ts'
import { spawnKontor, tokenOf, whenReady } from '../kontor.ts'

const { url } = inject('postgres')
const name = `migrations_${process.pid}`
const connectionString = withDatabase(url, name)
const folder = mkdtempSync(join(tmpdir(), 'kontor-faults-'))
const point = join(folder, 'point')
const password = 'a quiet heron by the weir'
const all = readMigrations(new URL('../../server/migrations', import.meta.url))
const start = () =>
  spawnKontor({
    KONTOR_DATA: join(folder, 'data'),
    KONTOR_ADMIN_PASSWORD: password,
    DATABASE_URL: connectionString,
    FAULTS: JSON.stringify({ point }),
    NODE_OPTIONS: `--import=${new URL('inject.ts', import.meta.url).href}`,
  })
afterAll(async () => {
  await administer(url, `drop database if exists ${name} with (force)`)
  rmSync(folder, { recursive: true, force: true })
})

test('a server that is killed between any two steps of its migrations goes on at the next start', async () => {
  await administer(url, `create database ${name} template template0 encoding 'UTF8'`)
  const db = connect({ connectionString, max: 1 })
  try {
    const applied = async () => {
      const table = await db.row<{ found: boolean }>(sql`select to_regclass('schema_migration') is not null as found`)
      return table?.found ? db.rows<{ name: string }>(sql`select name from schema_migration order by number`) : []
    }
    let [done, kills] = [0, 0]
    // One to four migrations at each start, so that all are met by a kill in a few runs.
    for (let n = Math.floor(Math.random() * 8); done < all.length; n++) {
      const [isBefore, steps] = [n % 2 === 0, Math.min(1 + (n % 4), all.length - done)]
      writeFileSync(point, `${isBefore ? 'before' : 'after'} migration commits|${steps}|${n}`)
      await once(start().child, 'exit')
      expect(existsSync(`${point}.reached`), 'the server was killed at the point').toBe(true)
      rmSync(`${point}.reached`)
      done += isBefore ? steps - 1 : steps
      expect((await applied()).map((one) => one.name)).toEqual(all.slice(0, done).map((one) => one.name))
      kills++
    }
    expect(kills).toBeGreaterThan(all.length / 4)
    const kontor = start()
    await whenReady(kontor)
    await tokenOf(kontor, password)
    await kontor.end('SIGTERM')
    expect(await dumpSchema(db)).toBe(
      readFileSync(new URL('../../server/migrations/schema.sql', import.meta.url), 'utf8'),
    )
  } finally {
    await db.close()
  }
})
