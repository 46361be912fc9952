/**
 * The check for viruses: every new content is checked once, however many assets have it. A job of the upload's transaction
 * starts the check; a job of every minute goes on after a crash, or when the scanner was away. Uploads never wait for it.
 */
import { type Scanner, ScannerAway, type Verdict } from '../../adapters/clamav/clamav.ts'
import { Corrupt } from '../../adapters/blobs/blobs.ts'
import { Missing } from '../../adapters/blobs/store.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { notify } from '../../common/api.ts'
import { audit } from '../../core/access/audit.ts'
import type { Services } from '../../core/batch/batch.ts'
import { writeChanges } from '../../core/outbox/history.sql.ts'
import { queueAllPreviews } from '../files.ts'
import { announceFile } from '../found/analysis.sql.ts'
import type { CareCounts } from './counts.ts'
import type { GuardedBlobs } from './hold.ts'
import * as rows from './scan.sql.ts'

export const scanTimes = '* * * * *'

interface ScanNeeds {
  readonly services: Pick<Services, 'database' | 'config'>
  readonly blobs: Pick<GuardedBlobs, 'raw'>
  readonly scanner: Scanner | undefined
  readonly counts: CareCounts
}

/** Checks all waiting files. Ends early if the scanner is away; the next minute tries again. */
export async function scanWaiting({ services, blobs, scanner, counts }: ScanNeeds, stop?: AbortSignal): Promise<void> {
  const { database, config } = services
  if (!scanner) return releaseAll(database)
  for (;;) {
    const file = stop?.aborted ? undefined : await rows.claimWaiting(database)
    if (!file) return
    try {
      const verdict: Verdict =
        file.size > config.scannerMax ? { found: 'tooLarge' } : await scanner.scan(() => blobs.raw.lend(file.sha256))
      await settle(database, file.sha256, verdict, config.scanTooLarge === 'wait')
      counts.scanned++
      if (verdict.found === 'infected') counts.infected++
    } catch (error) {
      // The claim of unreadable bytes ends by itself, so that they keep no other file waiting; the regular read of all files
      // reports them.
      if (error instanceof Missing || error instanceof Corrupt) continue
      if (!(error instanceof ScannerAway)) throw error
      return void (await rows.unclaim(database, file.sha256))
    }
  }
}

const settle = (database: Services['database'], sha256: string, verdict: Verdict, holdsLarge: boolean) =>
  database.transaction(async (db) => {
    const threat = verdict.found === 'infected' ? verdict.threat : null
    const held =
      verdict.found === 'infected' ? 'infected' : verdict.found === 'tooLarge' && holdsLarge ? 'tooLarge' : null
    const before = await rows.writeChecked(db, sha256, { scan: verdict.found, held, threat })
    if (!before) return
    if (held === 'infected') return reportInfected(db, sha256, threat!)
    if (held === null && before.before !== null) await makeAvailable(db, sha256)
    else if (held !== before.before) await announceFile(db, sha256)
  })

/** Search and previews go on with content that is no longer held. */
export async function makeAvailable(db: Db, sha256: string): Promise<void> {
  await announceFile(db, sha256)
  const pending = (await rows.findUnimported(db, sha256)).map(({ id }) => id)
  if (pending.length > 0) await queueAllPreviews({ db }, pending)
}

async function releaseAll(database: Services['database']): Promise<void> {
  await database.transaction(async (db) => {
    for (const { sha256 } of await rows.releaseUnchecked(db)) await makeAvailable(db, sha256)
  })
}

const mostNamed = 20
const textOf = (names: readonly string[]) =>
  `Nobody can download, place, render or export it. An administrator can delete or release it.\n\n${names.slice(0, mostNamed).join('\n')}`

async function reportInfected(db: Db, sha256: string, threat: string): Promise<void> {
  const uses = await rows.findUses(db, sha256)
  const changes = { threat: { to: threat } }
  await writeChanges(
    db,
    'system',
    uses.map(({ id }) => ({ dataType: 'asset', id, event: 'UPDATE', action: 'quarantine', changes })),
  )
  const notice = {
    subject: `A file with a virus is in quarantine: ${threat}`,
    body: textOf(uses.map(({ path }) => path)),
    severity: 'ERROR' as const,
    ...(uses.length === 1 && { parameters: { assetTid: uses[0]!.tid } }),
  }
  const { parameters: _, ...plain } = { parameters: undefined, ...notice }
  // Only the names of their own files: others may have the same content in folders that these people do not know.
  for (const { name, files } of await rows.findBringers(db, sha256))
    await notify(db, { ...plain, body: textOf(files), tid: `quarantine ${sha256} ${name}`, recipientUser: name })
  await notify(db, { ...notice, tid: `quarantine ${sha256}`, recipientRole: 'admin' })
  await audit(db, { action: 'file.quarantine', object: `file ${sha256}`, detail: { threat, assets: uses.map(({ tid }) => tid).slice(0, 100) } }) // prettier-ignore
}
