/** Damaged files, and the collector of unused ones at work. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { folderBlobs } from '../../server/src/adapters/blobs/blobs.ts'
import { sql } from '../../server/src/adapters/postgres/sql.ts'
import { collect } from '../../server/src/dam/storage/collect.ts'
import { archived } from './areas/archive.ts'
import { call, core } from './client.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'

/** A byte with a flipped bit, or only the first half of the bytes. */
function damaged(bytes: Buffer, random: Random): Buffer {
  if (random.chance(0.3)) return bytes.subarray(0, bytes.length >> 1)
  const copy = Buffer.from(bytes)
  const at = random.below(copy.length)
  copy[at]! ^= 1 << random.below(8)
  return copy
}

/** Damages a stored file, reads it, and repairs it. A reader must get an error, never other bytes. */
export async function damageFile(world: World, random: Random): Promise<undefined | false> {
  const rows = await world.db.rows<{ tid: string; sha256: string }>(sql`
    select e.tid, e.sha256 from dam_entry e join blob b on b.sha256 = e.sha256
    where e.kind = 'asset' and e.deleted_at is null and b.size > 1 and e.name not like ${`%${archived}`} limit 50`)
  if (rows.length === 0) return false
  const { tid, sha256 } = random.pick(rows)
  const file = join(world.data, 'blobs', 'sha256', sha256.slice(0, 2), sha256.slice(2))
  const bytes = readFileSync(file)
  await call(world, `${core}/dam/assets/bin?assetTid=${tid}`) // the server has verified it once
  writeFileSync(file, damaged(bytes, random))
  const reply = await call(world, `${core}/dam/assets/bin?assetTid=${tid}`)
  const digest = createHash('sha256').update(reply.bytes).digest('hex')
  if (reply.kind === 'ok' && digest !== sha256) world.seen.push(`the damaged file ${tid} is sent as if it were whole`)
  writeFileSync(file, bytes)
  return undefined
}

/** Damages a file of a search index while the server is down. */
export async function damageIndex(world: World, random: Random): Promise<number | false> {
  await pause(500) // changes reach the files
  const since = performance.now()
  await world.kill()
  const files = readdirSync(join(world.data, 'search'), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && /\.(segment|deleted)$|MANIFEST|LEXICON/.test(entry.name),
  )
  const some = files.map(({ parentPath, name }) => join(parentPath, name)).filter((file) => statSync(file).size > 0)
  if (some.length > 0) {
    const file = random.pick(some)
    writeFileSync(file, damaged(readFileSync(file), random))
  }
  await world.start()
  return some.length > 0 && since
}

/** Several rounds of the collector, as fast as they go. It leaves the spool alone: there is no grace period here. */
export async function collectFiles({ db, data }: World): Promise<undefined> {
  const blobs = { ...folderBlobs(join(data, 'blobs')), sweep: async () => 0 }
  for (let round = 0; round < 10; round++) await collect(db, blobs, 0)
}
