/** Commands about stored files: verify them, remove unused ones, add a storage. */
import { join } from 'node:path'
import { openBlobs } from '../adapters/blobs/blobs.ts'
import type { Database } from '../adapters/postgres/db.ts'
import type { Config } from '../config.ts'
import { bothStores, openArchive } from '../dam/care/archive.ts'
import { findUses } from '../dam/care/scan.sql.ts'
import { listFindings, listRuns } from '../dam/care/scrub.sql.ts'
import { addRnc } from '../dam/rncs/rncs.ts'
import { collect, scrub } from '../dam/storage/collect.ts'
import type { Commands, Out, Work } from './command.ts'
import { withDatabase } from './database.ts'

const blobsOf = ({ blobs, data }: Config) => openBlobs(blobs, join(data, 'blobs'))
const allBlobs = (config: Config) => bothStores(blobsOf(config), openArchive(config))
const onDatabase =
  (work: (db: Database, config: Config, args: readonly string[], out: Out) => Promise<unknown>): Work =>
  (config, args, out) =>
    withDatabase(config, (db) => work(db, config, args, out))

// prettier-ignore
export const fileCommands: Commands = [
  { name: 'scrub', usage: '', doc: 'Reads every stored file and compares its content with its hash', work: onDatabase(scrubFiles) },
  { name: 'scrub report', usage: '', doc: 'Prints what the last regular read of all stored files by the server found', work: onDatabase(printReport) },
  { name: 'files collect', usage: '', doc: 'Removes unused stored files, as the server does every hour', work: onDatabase(collectFiles) },
  { name: 'rncs add', usage: '<tid> [name]', maxArguments: 2, doc: 'Creates a storage for assets', work: onDatabase(addStorage) },
]

/** Compares every file with its hash; prints damaged files with the assets that use them. */
async function scrubFiles(db: Database, config: Config, _args: readonly string[], out: Out): Promise<boolean> {
  let faults = 0
  const count = await scrub(db, allBlobs(config), ({ sha256, fault, assets }) => {
    faults++
    out(`${sha256} is ${fault}${assets.length > 0 ? `; used by ${assets.join(', ')}` : ''}`)
  })
  out(faults === 0 ? `All ${count} files are whole.` : `${faults} of ${count} files are not whole.`)
  return faults === 0
}

/** The report that the server keeps, without reading any file. */
async function printReport(db: Database, _config: Config, _args: readonly string[], out: Out): Promise<boolean> {
  const [run] = await listRuns(db, undefined, 1)
  if (!run) {
    out('The server has not read the stored files yet.')
    return true
  }
  const { files, missing, damaged, unreadable, repaired, startedAt, endedAt } = run
  for (let after = ''; ;) {
    const page = await listFindings(db, run.id, after, 1000)
    for (const { sha256, fault, isRepaired } of page) {
      const uses = (await findUses(db, sha256, 10)).map(({ tid }) => tid)
      out(
        `${sha256} is ${fault}${isRepaired ? ', repaired' : ''}${uses.length > 0 ? `; used by ${uses.join(', ')}` : ''}`,
      )
    }
    if (page.length < 1000) break
    after = page.at(-1)!.sha256
  }
  const faults = missing + damaged + unreadable
  out(`Begun ${startedAt.toISOString()}, ${endedAt ? `ended ${endedAt.toISOString()}` : 'still running'}.`)
  out(
    faults === 0
      ? `All ${files} files are whole.`
      : `${faults} of ${files} files are not whole; ${repaired} were repaired.`,
  )
  return faults === repaired
}

/** Removes unused files now instead of at the next full hour. */
async function collectFiles(db: Database, config: Config, _args: readonly string[], out: Out): Promise<void> {
  const { blobs, orphans, uploads, spooled } = await collect(
    db,
    blobsOf(config),
    config.blobGraceMinutes,
    openArchive(config),
  )
  out(`Removed: ${blobs + orphans} unused files, ${uploads} expired uploads, ${spooled} incomplete files.`)
}

async function addStorage(db: Database, _config: Config, [tid, name]: readonly string[], out: Out): Promise<void> {
  out(`The storage ${await addRnc(db, tid, name)} is there.`)
}
