/** Commands about stored files: whether they are whole, what can go, and where new ones can be put. */
import { join } from 'node:path'
import { openBlobs } from '../adapters/blobs/blobs.ts'
import type { Database } from '../adapters/postgres/db.ts'
import type { Config } from '../config.ts'
import { addRnc } from '../dam/rncs/rncs.ts'
import { collect, scrub } from '../dam/storage/collect.ts'
import type { Commands, Out, Work } from './command.ts'
import { withDatabase } from './database.ts'

const blobsOf = ({ blobs, data }: Config) => openBlobs(blobs, join(data, 'blobs'))
const within =
  (work: (db: Database, config: Config, args: readonly string[], out: Out) => Promise<unknown>): Work =>
  (config, args, out) =>
    withDatabase(config, (db) => work(db, config, args, out))

// prettier-ignore
export const fileCommands: Commands = [
  { name: 'scrub', usage: '', doc: 'Reads every stored file and compares it with its name', work: within(scrubFiles) },
  { name: 'files collect', usage: '', doc: 'Removes stored files that nothing refers to, as the server does every hour', work: within(collectFiles) },
  { name: 'rncs add', usage: '<tid> [name]', words: 2, doc: 'Makes a storage for assets', work: within(addStorage) },
]

/** Reads every file and compares it with its hash; what is wrong is told with the assets that use it. */
async function scrubFiles(db: Database, config: Config, _args: readonly string[], out: Out): Promise<boolean> {
  let faults = 0
  const count = await scrub(db, blobsOf(config), ({ sha256, fault, assets }) => {
    faults++
    out(`${sha256} is ${fault}${assets.length > 0 ? `; used by ${assets.join(', ')}` : ''}`)
  })
  out(faults === 0 ? `All ${count} files are whole.` : `${faults} of ${count} files are not whole.`)
  return faults === 0
}

/** Removes what nothing refers to, now instead of at the next full hour. */
async function collectFiles(db: Database, config: Config, _args: readonly string[], out: Out): Promise<void> {
  const { blobs, orphans, uploads, spooled } = await collect(db, blobsOf(config), config.blobGraceMinutes)
  out(`Removed: ${blobs + orphans} unused files, ${uploads} expired uploads, ${spooled} files that broke off.`)
}

async function addStorage(db: Database, _config: Config, [tid, name]: readonly string[], out: Out): Promise<void> {
  out(`The storage ${await addRnc(db, tid, name)} is there.`)
}
