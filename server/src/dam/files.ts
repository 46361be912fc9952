/** What uploads, versions and variations share: the services they need, the records they answer, the jobs they order. */
import type { Blobs, Staged } from '../adapters/blobs/blobs.ts'
import { addJob, addJobs } from '../adapters/jobs/jobs.ts'
import { type Done, inBatch, type Services } from '../core/batch/batch.ts'
import type { Caller, Context } from '../core/context.ts'
import { Problem } from '../errors.ts'
import { fileTypeOf, importedTypes, isImported } from './file-types.ts'
import type { Previews } from './assets/previews/previews.ts'
import { storing } from './storage/storing.ts'
import { type FileOf, findDuplicates, isPending, markPending } from './assets/bin/uploads/uploads.sql.ts'

/** What everything about files works with. */
export interface FileServices extends Services {
  readonly blobs: Blobs
  readonly previews: Previews
}

/** Runs `work` as a batch in which the staged bytes are durable and known. */
export const withStored = <T>(
  services: FileServices,
  caller: Caller,
  staged: Staged,
  work: (ctx: Context) => Promise<T>,
): Promise<T> =>
  storing(services.blobs, [staged], (secure) =>
    inBatch(services, caller, async (ctx) => {
      await secure(ctx.db)
      return work(ctx)
    }),
  )

export const fileOf = (name: string, { sha256, size, head }: Staged): FileOf => {
  const type = fileTypeOf(name, head)
  return { sha256, size, ...type, importStatus: isImported(type) ? 'pending' : 'available' }
}

/** A SHA-256 as the caller says it. */
export function toChecksum(text: string | undefined): string | undefined {
  if (text === undefined || /^[0-9a-f]{64}$/i.test(text)) return text?.toLowerCase()
  throw new Problem('invalid', `checksum: expected 64 hexadecimal digits, found ${text.slice(0, 100)}`)
}

/** Refuses bytes that are not those that were announced. */
export function demandBytes({ sha256 }: Staged, announced: string | null | undefined): void {
  const checksum = toChecksum(announced ?? undefined)
  if (checksum !== undefined && checksum !== sha256)
    throw new Problem(
      'invalid',
      `checksum: ${checksum} was announced, the bytes that came have ${sha256}; upload again`,
    )
}

/** Which other assets hold the same bytes, for the record of an upload. */
export async function duplicatesOf({ db }: Context, sha256: string, id: number): Promise<Done['details']> {
  const others = await findDuplicates(db, sha256, id)
  return others.length === 0 ? undefined : { duplicates: others.map(({ tid }) => tid).join(',') }
}

export const previewJob = 'dam.previews'
const previewAttempts = 5

/**
 * Orders the import of the file that an asset has now, if there is anything to import. The job stands in the transaction
 * of the file. Previews that are made at once leave it nothing to do, unless we die.
 */
export const orderPreviews = async ({ db }: Context, assetId: number, now: boolean): Promise<void> => {
  if (!(await isPending(db, assetId))) return
  const runAt = now ? { runAt: new Date(Date.now() + 120_000) } : {}
  await addJob(db, previewJob, { assetId }, { key: `${previewJob} ${assetId}`, maxAttempts: previewAttempts, ...runAt })
}

/** The same for assets that are known to have something to import. */
export const orderAllPreviews = ({ db }: Context, assetIds: readonly number[]): Promise<unknown> =>
  addJobs(
    db,
    previewJob,
    assetIds.map((assetId) => ({ payload: { assetId }, key: `${previewJob} ${assetId}` })),
    previewAttempts,
  )

/** Orders the previews of files anew, whatever became of them before, and tells of how many. */
export async function renewPreviews(ctx: Context, assetIds: readonly number[]): Promise<number> {
  const pending = (await markPending(ctx.db, assetIds, importedTypes)).map(({ id }) => id)
  if (pending.length > 0) await orderAllPreviews(ctx, pending)
  return pending.length
}
