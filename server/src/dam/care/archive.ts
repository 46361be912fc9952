/**
 * The archive: a second store for files that are rarely needed. Previews and metadata stay; the bytes move.
 *
 *   wanted     the row says where the content should be; people and the policy only write this
 *   copy       the bytes are in both stores, compared with their hash in the second one
 *   mark       the row says `archive`: from now on nobody reads the main store
 *   remove     the bytes in the main store, if the row still says so
 *
 * A crash between two steps loses nothing: before the mark, the row still names the main store; after it, the archive has the
 * bytes, and the collector removes the rest. Marking and removing exclude uploads, as the collector does, because an upload of
 * the same content brings it back to the main store.
 */
import { because, type care as contract } from '@kontor/contract'
import { join } from 'node:path'
import { type Blobs, Corrupt, folderBlobs, openBlobs } from '../../adapters/blobs/blobs.ts'
import { Missing } from '../../adapters/blobs/store.ts'
import { addJob } from '../../adapters/jobs/jobs.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { notify } from '../../common/api.ts'
import type { Config } from '../../config.ts'
import { inBatch, type Outcome, type Services } from '../../core/batch/batch.ts'
import type { ActionValue } from '../../core/batch/handlers.ts'
import { parentPathOf } from '../../core/batch/names.ts'
import type { Context } from '../../core/context.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { addressOf, demand, demandUnlocked, findNamed, notFound } from '../entries.ts'
import { announceFile } from '../found/analysis.sql.ts'
import { findLocations } from '../locations.ts'
import { keyOf } from '../names.ts'
import { readsOf } from '../readers.ts'
import { tryCollecting } from '../storage/blobs.sql.ts'
import { commitWithBlobs } from '../storage/storing.ts'
import * as rows from './archive.sql.ts'
import { findUses } from './scan.sql.ts'
import { makeAvailable } from './scan.ts'
import { isEmpty, type Stores } from './scrub.ts'

export const archiveJob = 'dam.archive'
export const archiveTimes = '*/5 * * * *'
export const policyJob = 'dam.archive.policy'
export const policyTimes = '23 3 * * *'

export const openArchive = ({ archive, data }: Pick<Config, 'archive' | 'data'>): Blobs | undefined =>
  archive === undefined ? undefined : archive.startsWith('/') ? folderBlobs(archive) : openBlobs(archive, join(data, 'archive')) // prettier-ignore

/** Reads from the archive what the main store lacks: for backups and checks of everything. */
export function bothStores(main: Blobs, archive: Blobs | undefined): Blobs {
  if (!archive) return main
  const orArchived =
    <T>(read: (store: Blobs, sha256: string) => Promise<T>) =>
    (sha256: string) =>
      read(main, sha256).catch((error: unknown) => {
        if (error instanceof Missing) return read(archive, sha256)
        throw error
      })
  return {
    ...main,
    lend: orArchived((store, sha256) => store.lend(sha256)),
    open: orArchived((store, sha256) => store.open(sha256)),
    reread: orArchived((store, sha256) => store.reread(sha256)),
  }
}

const queueArchive = (db: Db) => addJob(db, archiveJob, {}, { key: archiveJob })

const noArchive = () =>
  new Problem('withheld', 'this installation has no archive; ask an administrator to set KONTOR_ARCHIVE')

/** The actions `archive` and `unarchive` of assets. */
export async function archiveAll(ctx: Context, actions: readonly ActionValue[], to: rows.Tier): Promise<Outcome[]> {
  if (ctx.config.archive === undefined) return actions.map(noArchive)
  const addresses = actions.map((action) => addressOf(action)!)
  const find = await findNamed(ctx, 'asset', addresses, 'update')
  const found = addresses.map((address) => find(address))
  const byId = new Map((await rows.findMovable(ctx.db, found.flatMap((row) => row?.id ?? []))).map((row) => [row.id, row])) // prettier-ignore
  const moving = new Set<string>()
  const action = to === 'archive' ? 'archive' : 'unarchive'
  const outcomes = found.map((row, i): Outcome => {
    try {
      if (!row) throw notFound('asset', addresses[i]!)
      demand(ctx, 'update', 'asset', row.dirPath)
      demandUnlocked(ctx, row)
      const { sha256, tier, wantedTier, isHeld, isShown, others } = byId.get(row.id)!
      if (to === 'archive' && tier === 'main') {
        if (isHeld) throw new Problem('withheld', because('archiveHeld', { path: row.path }))
        if (isShown) throw new Problem('inUse', because('archivePreview', { path: row.path }))
        if (others > 0) throw new Problem('inUse', because('archiveShared', { path: row.path }))
      }
      if ((wantedTier ?? tier) !== to) {
        moving.add(sha256)
        ctx.record({ dataType: 'asset', id: row.id, event: 'UPDATE', action, changes: { storage: { from: tier, to } } })
      }
      return { action, id: row.id, tid: row.tid, path: row.path }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return error
    }
  })
  if (moving.size > 0) {
    await rows.want(ctx.db, [...moving], to, ctx.caller.userName)
    await queueArchive(ctx.db)
  }
  return outcomes
}

export const archiveRoutes = (services: Services): RouteHandlers<Pick<typeof contract.routes, 'archiveFolder'>> => ({
  archiveFolder: (_, { body: { folder, restore = false, months = 0, onlyUnlinked = false }, caller }) =>
    inBatch(services, caller, async (ctx) => {
      if (months < 0 || months > 1200) throw new Problem('invalid', '/archiveRequest/months: expected 0 to 1200')
      if (services.config.archive === undefined) throw noArchive()
      const address = { path: folder! }
      const location = (await findLocations(ctx, [address], 'none'))(address)
      if (location instanceof Problem) throw location
      const to = restore ? 'main' : 'archive'
      const selection = { pathKey: keyOf(location.path), months, onlyUnlinked, to, by: ctx.caller.userName } as const
      const order = await rows.wantAll(ctx.db, selection)
      if (order.files > 0) await queueArchive(ctx.db)
      ctx.audit({ action: restore ? 'file.unarchive' : 'file.archive', object: `folder ${location.path}`, detail: { months, onlyUnlinked, ...order } }) // prettier-ignore
      return order
    }),
})

/** Every night: files that nobody has needed for long. */
export async function applyPolicy({ database, config }: Pick<Services, 'database' | 'config'>): Promise<void> {
  if (config.archive === undefined || config.archiveMonths === 0) return
  const selection = { months: config.archiveMonths, onlyUnlinked: true, to: 'archive', by: 'system' } as const
  await database.transaction(async (db) => {
    if ((await rows.wantAll(db, selection)).files > 0) await queueArchive(db)
  })
}

interface ArchiveNeeds {
  readonly services: Pick<Services, 'database' | 'callerNow'>
  readonly stores: Stores
}

/** Of files that go in one direction, before the others of it wait for the next job: the store may be full or away. */
const mostFaults = 5

/**
 * Moves everything that is wanted elsewhere, first what people wait for. What fails is tried again by a later job, and keeps
 * neither the files behind it nor those of the other direction from moving.
 */
export async function moveWanted({ services, stores }: ArchiveNeeds, stop?: AbortSignal): Promise<void> {
  const { database } = services
  const { main, archive } = stores
  if (!archive) return
  const after = { main: '', archive: '' }
  const faults: Record<rows.Tier, unknown[]> = { main: [], archive: [] }
  const next = async (to: rows.Tier) =>
    stop?.aborted || faults[to].length === mostFaults ? undefined : rows.nextMoving(database, to, after[to])
  for (let file; (file = (await next('main')) ?? (await next('archive')));) {
    const { sha256, wantedTier } = file
    after[wantedTier] = sha256
    try {
      if (wantedTier === 'archive') await moveOut(database, main, archive, file)
      else await bringBack(services, main, archive, file)
    } catch (error) {
      const isLost = error instanceof Missing || error instanceof Corrupt
      if (isLost && !(await isEmpty(wantedTier === 'archive' ? main : archive))) await giveUp(services, file)
      else faults[wantedTier].push(error)
    }
  }
  const [fault] = [...faults.main, ...faults.archive]
  if (fault !== undefined) throw fault as Error
}

async function moveOut(database: Services['database'], main: Blobs, archive: Blobs, { sha256, size }: rows.Moving) {
  if (!(await archive.settle(sha256, size))) {
    const staged = await archive.stage(await main.reread(sha256), Infinity)
    try {
      await archive.keep(staged)
    } finally {
      await staged.drop()
    }
  }
  for await (const _piece of await archive.reread(sha256)); // what the archive really has is compared with the hash
  await database.transaction(async (db) => {
    if (!(await tryCollecting(db))) return
    if (await rows.markArchived(db, sha256)) await announceFile(db, sha256)
  })
  await database.transaction(async (db) => {
    if ((await tryCollecting(db)) && (await rows.isArchived(db, sha256))) await main.remove(sha256)
  })
}

async function bringBack(services: ArchiveNeeds['services'], main: Blobs, archive: Blobs, file: rows.Moving) {
  const { database } = services
  const { sha256, size, wantedBy } = file
  // After a crash, or after a restored backup, the main store may have it already.
  const source = (await main.has(sha256, size)) ? main : archive
  const staged = await main.stage(await source.reread(sha256), Infinity)
  try {
    const reader = await findReader(services, wantedBy)
    await commitWithBlobs(main, [staged], (registerBlobs) =>
      database.transaction(async (db) => {
        await registerBlobs(db)
        await makeAvailable(db, sha256)
        if (reader) await report(db, sha256, reader, 'unarchived')
      }),
    )
  } finally {
    await staged.drop()
  }
}

/** The regular read of all files reports lost bytes to administrators; the user waits for a message, too. */
async function giveUp(services: ArchiveNeeds['services'], { sha256, wantedTier, wantedBy }: rows.Moving) {
  const reader = wantedTier === 'main' ? await findReader(services, wantedBy) : undefined
  await services.database.transaction(async (db) => {
    await rows.unwant(db, sha256)
    if (reader) await report(db, sha256, reader, 'lost')
  })
}

interface Reader {
  readonly name: string
  readonly mayRead: (dirPath: string) => boolean
}
/** The rights are read on a connection of their own, for which a transaction must not wait. */
async function findReader(services: ArchiveNeeds['services'], name: string): Promise<Reader | undefined> {
  const user = await rows.findUser(services.database, name)
  const mayRead = user && (await readsOf(services, user))
  return mayRead && { name: user.name, mayRead }
}

const ends = {
  unarchived: {
    subject: 'Back from the archive',
    body: 'The file can be downloaded and used again.',
    severity: 'INFO',
  },
  lost: {
    subject: 'Not restored from the archive',
    body: 'The stored content is missing or damaged. Upload the same file again, or ask an administrator.',
    severity: 'ERROR',
  },
} as const

/** The message names an asset that its reader may see: assets elsewhere can have the same content. */
async function report(db: Db, sha256: string, { name, mayRead }: Reader, end: keyof typeof ends) {
  const use = (await findUses(db, sha256)).find(({ path }) => mayRead(parentPathOf(path)))
  const { subject, ...text } = ends[end]
  await notify(db, {
    ...text,
    tid: `${end} ${sha256} ${Date.now()}`,
    recipientUser: name,
    subject: `${subject}: ${use?.path.split('/').at(-1) ?? sha256}`,
    ...(use && { parameters: { assetTid: use.tid } }),
  })
}
