/** Commands about stored files: verify them, remove unused ones, add a storage. */
import { join } from 'node:path'
import { openBlobs } from '../adapters/blobs/blobs.ts'
import type { Database } from '../adapters/postgres/db.ts'
import type { Config } from '../config.ts'
import { addRnc } from '../dam/rncs/rncs.ts'
import { collect, scrub } from '../dam/storage/collect.ts'
import type { Commands, Out, Work } from './command.ts'
import { withDatabase } from './database.ts'

const blobsOf = ({ blobs, data }: Config) => openBlobs(blobs, join(data, 'blobs'))
const onDatabase =
  (work: (db: Database, config: Config, args: readonly string[], out: Out) => Promise<unknown>): Work =>
  (config, args, out) =>
    withDatabase(config, (db) => work(db, config, args, out))

// prettier-ignore
export const fileCommands: Commands = [
  { name: 'scrub', usage: '', doc: 'Reads every stored file and compares its content with its hash', work: onDatabase(scrubFiles) },
  { name: 'files collect', usage: '', doc: 'Removes unused stored files, as the server does every hour', work: onDatabase(collectFiles) },
  { name: 'rncs add', usage: '<tid> [name]', maxArguments: 2, doc: 'Creates a storage for assets', work: onDatabase(addStorage) },
]

/** Compares every file with its hash; prints damaged files with the assets that use them. */
async function scrubFiles(db: Database, config: Config, _args: readonly string[], out: Out): Promise<boolean> {
  let faults = 0
  const count = await scrub(db, blobsOf(config), ({ sha256, fault, assets }) => {
    faults++
    out(`${sha256} is ${fault}${assets.length > 0 ? `; used by ${assets.join(', ')}` : ''}`)
  })
  out(faults === 0 ? `All ${count} files are whole.` : `${faults} of ${count} files are not whole.`)
  return faults === 0
}

/** Removes unused files now instead of at the next full hour. */
async function collectFiles(db: Database, config: Config, _args: readonly string[], out: Out): Promise<void> {
  const { blobs, orphans, uploads, spooled } = await collect(db, blobsOf(config), config.blobGraceMinutes)
  out(`Removed: ${blobs + orphans} unused files, ${uploads} expired uploads, ${spooled} incomplete files.`)
}

async function addStorage(db: Database, _config: Config, [tid, name]: readonly string[], out: Out): Promise<void> {
  out(`The storage ${await addRnc(db, tid, name)} is there.`)
}
