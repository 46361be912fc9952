/**
 * Versions: the earlier files of an asset.
 *
 * Uploading a version makes the file the asset's current file and keeps the previous one with the comment and dates of
 * the upload. Restoring a version swaps it with the current file. At most 50 versions are kept; the oldest unprotected
 * ones are deleted first.
 */
import { randomUUID } from 'node:crypto'
import { because, AssetVersionUploadRequest, type dam, type Infer, type Version } from '@kontor/contract'
import type { Staged } from '../../../adapters/blobs/blobs.ts'
import { toMeta } from '../../../common/api.ts'
import type { Done, Outcome } from '../../../core/batch/batch.ts'
import type { Context } from '../../../core/context.ts'
import type { ActionValue, Handlers } from '../../../core/batch/handlers.ts'
import type { StreamCall } from '../../../core/http/streaming.ts'
import { Problem } from '../../../errors.ts'
import { addressOf, demand, demandUnlocked, type Named, namesOf, notFound, visible } from '../../entries.ts'
import { type AssetType, isImported } from '../../file-types.ts'
import { demandBytes, fileOf, type FileServices, queuePreviews, withStored } from '../../files.ts'
import { type FileRow, findFiles } from '../../files.sql.ts'
import { readForm } from '../bin/uploads/form.ts'
import { readParams } from '../bin/uploads/uploads.ts'
import { type FileOf, replaceFile } from '../bin/uploads/uploads.sql.ts'
import { toChange } from '../../usage/terms.ts'
import { deleteUsage, putUsage, type UsageRow } from '../../usage/usage.sql.ts'
import * as rows from './versions.sql.ts'

export type VersionRequest = Infer<typeof AssetVersionUploadRequest>
const mostVersions = 50

/** POST /assets/versions/bin/persist */
export const uploadVersion = (services: FileServices) => async (call: StreamCall) => {
  const { blobs, config } = services
  const form = await readForm(call.request, ['params'], config.maxUpload, async ({ stream }, fields) => {
    const known = fields.has('params') ? readParams(services, AssetVersionUploadRequest, fields) : undefined
    if (known) await findVersioned(call.context(), known)
    return blobs.stage(stream, config.maxUpload)
  })
  try {
    const params = readParams(services, AssetVersionUploadRequest, form.fields)
    demandBytes(form.staged, params.checksum)
    const done = await withStored(services, call.caller(), form.staged, (ctx) =>
      call.once(ctx, [JSON.stringify(params), form.staged.sha256], () => storeVersion(ctx, params, form.staged)),
    )
    return call.sendRecord(done)
  } finally {
    await form.staged.drop()
  }
}

/** The asset to upload a version of. Throws if it does not exist or the caller may not change it now. */
export async function findVersioned(ctx: Context, named: Named, lock = false): Promise<FileRow> {
  const address = addressOf(named)
  if (!address) throw new Problem('invalid', 'names no asset; send tid or id')
  const [asset] = await findFiles(ctx.db, namesOf([address]), visible(ctx, 'asset'), lock)
  if (!asset) throw notFound('asset', address)
  demand(ctx, 'update', 'asset', asset.dirPath)
  demandUnlocked(ctx, asset)
  return asset
}

export async function storeVersion(ctx: Context, request: VersionRequest & Named, staged: Staged): Promise<Done> {
  const asset = await findVersioned(ctx, request, true)
  const versionTid = await exchange(ctx, asset, fileOf(asset.name, staged), 'version', {
    ...(request.versionComment !== undefined && { comment: request.versionComment }),
    ...(request.timeoutDate !== undefined && { timeoutAt: request.timeoutDate }),
    ...(request.protectedAfterDate !== undefined && { protectedAfter: request.protectedAfterDate }),
    ...(request.protectedBeforeDate !== undefined && { protectedBefore: request.protectedBeforeDate }),
  })
  const { id, tid, path } = asset
  return { action: 'update', dataType: 'version', id, tid, path, details: { versionTid } }
}

/** Keeps the current file as a version and assigns the new one to the asset. */
async function exchange(
  ctx: Context,
  asset: FileRow,
  file: FileOf,
  action: string,
  version: Omit<rows.NewVersion, 'tid'>,
): Promise<string> {
  const tid = randomUUID().toUpperCase()
  await rows.keepAsVersion(ctx.db, asset.id, { tid, ...version }, ctx.caller.userName)
  await rows.trimVersions(ctx.db, asset.id, mostVersions)
  if ((await rows.countVersions(ctx.db, asset.id)) > mostVersions)
    throw new Problem('invalid', `${asset.path} has ${mostVersions} versions, and all are protected`)
  await replaceFile(ctx.db, asset.id, file, ctx.caller.userName)
  await queuePreviews(ctx, asset.id, false)
  const changes = {
    checksum: { from: asset.sha256, to: file.sha256 },
    fileSize: { from: asset.size, to: file.size },
    ...(version.comment !== undefined && { comment: { to: version.comment } }),
  }
  ctx.record({ dataType: 'asset', id: asset.id, event: 'UPDATE', action, changes })
  return tid
}

/** A restored file has the usage rights that it had. */
async function restoreUsage(ctx: Context, { id, usage }: FileRow, terms: UsageRow | null): Promise<void> {
  const changes = { usageRights: { from: toChange(usage), to: toChange(terms) } }
  if (JSON.stringify(changes.usageRights.from) === JSON.stringify(changes.usageRights.to)) return
  await (terms ? putUsage(ctx.db, [{ id, terms }]) : deleteUsage(ctx.db, [id]))
  ctx.record({ dataType: 'asset', id, event: 'UPDATE', action: 'update', changes })
}

export const versions: Handlers<(typeof dam.resources)['assets/versions']> = {
  async retrieve(ctx, { tids = [], ids = [] }) {
    const names = tids.length > 0 ? { tids, ids: [], paths: [] } : { tids: [], ids, paths: [] }
    const assets = await findFiles(ctx.db, names, visible(ctx, 'asset'))
    if (assets.length === 0) throw new Problem('notFound', 'there is no asset with these identifiers')
    const found = await rows.listVersions(
      ctx.db,
      assets.map(({ id }) => id),
    )
    return { versions: found.map(toVersion) }
  },
  perform: {
    restore: (ctx, actions) => onVersions(ctx, actions, 'update', restore),
    delete: (ctx, actions) => onVersions(ctx, actions, 'delete', remove),
  },
}

type FoundVersion = rows.VersionRow & { dirPath: string }

/** Sequential, because restoring a version changes the list of versions. */
async function onVersions(
  ctx: Context,
  actions: readonly ActionValue[],
  right: 'update' | 'delete',
  act: (ctx: Context, version: FoundVersion) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const { id, tid } of actions) {
    const ids = tid === undefined ? [id] : []
    const [version] = await rows.findVersions(ctx.db, ids, tid === undefined ? [] : [tid], visible(ctx, 'asset'))
    try {
      if (!version) throw new Problem('notFound', `no version has the ${tid === undefined ? `id ${id}` : `tid ${tid}`}`)
      demand(ctx, right, 'asset', version.dirPath)
      outcomes.push(await act(ctx, version))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      outcomes.push(error)
    }
  }
  return outcomes
}

async function restore(ctx: Context, version: FoundVersion): Promise<Outcome> {
  const asset = await findVersioned(ctx, { id: version.assetId }, true)
  const { sha256, size, mime, type } = version
  const importStatus = isImported({ mime, type: type as AssetType }) ? 'pending' : 'available'
  await rows.removeVersion(ctx.db, version.id)
  const comment = `replaced by version ${version.tid}`
  const versionTid = await exchange(ctx, asset, { sha256, size, mime, type, importStatus }, 'restore', { comment })
  await restoreUsage(ctx, asset, version.usage)
  return {
    action: 'restore',
    dataType: 'version',
    id: version.id,
    tid: version.tid,
    path: asset.path,
    details: { versionTid },
  }
}

async function remove(ctx: Context, version: FoundVersion): Promise<Outcome> {
  const gone = await rows.deleteVersions(ctx.db, [version.id])
  if (gone.length === 0) return new Problem('inUse', because('versionProtected', { version: version.tid }))
  const changes = { version: { from: version.tid } }
  ctx.record({ dataType: 'asset', id: version.assetId, event: 'UPDATE', action: 'deleteVersion', changes })
  return { action: 'delete', dataType: 'version', id: version.id, tid: version.tid }
}

function toVersion(row: rows.VersionRow): Infer<typeof Version> {
  const dates = {
    timeoutDate: row.timeoutAt,
    protectedAfterDate: row.protectedAfter,
    protectedBeforeDate: row.protectedBefore,
  }
  const facts = {
    ...(row.comment !== null && { comment: row.comment }),
    creationDate: row.createdAt.toISOString(),
    creationUser: row.createdBy,
    fileDate: row.fileDate.toISOString(),
    fileUser: row.fileUser,
    ...Object.fromEntries(Object.entries(dates).flatMap(([key, date]) => (date ? [[key, date.toISOString()]] : []))),
    fileSize: String(row.size),
    mimeType: row.mime,
    ...(row.width !== null && { width: String(row.width) }),
    ...(row.height !== null && { height: String(row.height) }),
    checksum: row.sha256,
    active: 'false',
  }
  return { name: row.name, meta: toMeta(facts), tid: row.tid, assetTid: row.assetTid, assetId: row.assetId }
}
