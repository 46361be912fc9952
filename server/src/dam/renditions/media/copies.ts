/**
 * Copies of films and sounds that browsers play: made as a job, because they take long, and kept among the renditions
 * within their space. The copies wait in one queue, so that they never take all places of other jobs.
 */
import type { Database } from '../../../adapters/postgres/db.ts'
import type { GuardedBlobs } from '../../care/hold.ts'
import { addJob } from '../../../adapters/jobs/jobs.ts'
import { NotDrawn, type Previews } from '../../assets/previews/previews.ts'
import { keepRendition } from '../maker.ts'
import * as rows from './media.sql.ts'

/** The key of copies among the renditions. Changes when they would be made differently. */
export const copyRecipe = 'play 1'
export const copyJob = 'dam.copies'
/** A server that is killed again and again by the same file gives up. */
const attempts = 5
/** Milliseconds between two updates of the progress. */
const interval = 1000

export const queueCopy = (db: Parameters<typeof addJob>[0], sha256: string, options: { runAt?: Date } = {}) =>
  addJob(db, copyJob, { sha256 }, { key: `${copyJob} ${sha256}`, queue: copyJob, maxAttempts: attempts, ...options })

interface Needs {
  readonly database: Database
  readonly blobs: GuardedBlobs
  readonly previews: Pick<Previews, 'copy'>
}

/** Runs again after a crash, so it begins with what is there. */
export async function makeCopy(needs: Needs, { sha256 }: { sha256: string }, stop: AbortSignal): Promise<void> {
  const { database, previews } = needs
  const source = await rows.findCopySource(database, sha256, copyRecipe)
  if (!source) return
  if (source.isMade) return void (await rows.deleteCopy(database, sha256))
  await rows.writeProgress(database, sha256, 0)
  let written = Date.now()
  const onProgress = (percent: number) => {
    if (Date.now() - written < interval) return
    written = Date.now()
    void rows.writeProgress(database, sha256, percent).catch(() => {}) // it is only shown
  }
  try {
    await previews.copy(source, { onProgress, stop }, (drawn) =>
      keepRendition(needs, sha256, copyRecipe, drawn, (db) => rows.deleteCopy(db, sha256)),
    )
  } catch (error) {
    // The server ends: another process or the next start makes it.
    if (stop.aborted) return void (await queueCopy(database, sha256, { runAt: new Date(Date.now() + 1000) }))
    const isFileFault = error instanceof NotDrawn || (error as Error).message.startsWith('the preview worker')
    if (!isFileFault) throw error
    await rows.writeFailure(database, sha256, (error as Error).message)
  }
}
