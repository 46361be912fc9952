/** Functions shared by uploads, versions and variations: services, reply records and jobs. */
import type { Staged } from '../adapters/blobs/blobs.ts'
import { addJob, addJobs } from '../adapters/jobs/jobs.ts'
import { type Done, inBatch, type Services } from '../core/batch/batch.ts'
import type { Caller, Context } from '../core/context.ts'
import { Problem } from '../errors.ts'
import type { GuardedBlobs } from './care/hold.ts'
import { visible } from './entries.ts'
import { fileTypeOf, importedTypes, isImported } from './file-types.ts'
import { previewAttempts, type Previews } from './assets/previews/previews.ts'
import type { FindRendition } from './renditions/maker.ts'
import { commitWithBlobs } from './storage/storing.ts'
import { type FileOf, findDuplicates, isPending, markPending } from './assets/bin/uploads/uploads.sql.ts'

/** The services that file handlers need. */
export interface FileServices extends Services {
  readonly blobs: GuardedBlobs
  readonly previews: Previews
  readonly renditions: FindRendition
}

/** Runs `work` as a batch in which the staged bytes are durable and registered. */
export const withStored = <T>(
  services: FileServices,
  caller: Caller,
  staged: Staged,
  work: (ctx: Context) => Promise<T>,
): Promise<T> =>
  commitWithBlobs(services.blobs, [staged], (registerBlobs) =>
    inBatch(services, caller, async (ctx) => {
      await registerBlobs(ctx.db)
      return work(ctx)
    }),
  )

/** Bytes that are about to become a file: staged, or already in the store. */
export type Received = Pick<Staged, 'sha256' | 'size' | 'head'>

export const fileOf = (name: string, { sha256, size, head }: Received): FileOf => {
  const type = fileTypeOf(name, head)
  return { sha256, size, ...type, importStatus: isImported(type) ? 'pending' : 'available' }
}

/** Validates a SHA-256 sent by the caller. */
export function toChecksum(text: string | undefined): string | undefined {
  if (text === undefined || /^[0-9a-f]{64}$/i.test(text)) return text?.toLowerCase()
  throw new Problem('invalid', `checksum: expected 64 hexadecimal digits, found ${text.slice(0, 100)}`)
}

/** Throws if the bytes do not match the announced checksum. */
export function demandBytes({ sha256 }: Staged, announced: string | null | undefined): void {
  const checksum = toChecksum(announced ?? undefined)
  if (checksum !== undefined && checksum !== sha256)
    throw new Problem(
      'invalid',
      `checksum: ${checksum} was announced, but the received bytes have ${sha256}; upload again`,
    )
}

/** Lists other assets with the same bytes, for the record of an upload. */
export async function duplicatesOf(ctx: Context, sha256: string, id: number): Promise<Done['details']> {
  const others = await findDuplicates(ctx.db, sha256, id, visible(ctx, 'asset'))
  return others.length === 0 ? undefined : { duplicates: others.map(({ tid }) => tid).join(',') }
}

export const previewJob = 'dam.previews'

/**
 * Queues the import of the asset's current file, if its type is imported. The job is added in the same transaction as
 * the file. If previews are made synchronously, the job starts later and is only a fallback for a crash.
 */
export const queuePreviews = async ({ db }: Context, assetId: number, now: boolean): Promise<void> => {
  if (!(await isPending(db, assetId))) return
  const runAt = now ? { runAt: new Date(Date.now() + 120_000) } : {}
  await addJob(db, previewJob, { assetId }, { key: `${previewJob} ${assetId}`, maxAttempts: previewAttempts, ...runAt })
}

/** The same for assets that are known to need an import. */
export const queueAllPreviews = ({ db }: Pick<Context, 'db'>, assetIds: readonly number[]): Promise<unknown> =>
  addJobs(
    db,
    previewJob,
    assetIds.map((assetId) => ({ payload: { assetId }, key: `${previewJob} ${assetId}` })),
    previewAttempts,
  )

/** Queues new previews regardless of the current status. Returns the number of assets. */
export async function renewPreviews(ctx: Context, assetIds: readonly number[]): Promise<number> {
  const pending = (await markPending(ctx.db, assetIds, importedTypes)).map(({ id }) => id)
  if (pending.length > 0) await queueAllPreviews(ctx, pending)
  return pending.length
}
