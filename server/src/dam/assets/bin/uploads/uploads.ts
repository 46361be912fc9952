/**
 * Uploads in one request: POST /assets/bin/persist.
 *
 * A path ends with the name of the file, or with / where the uploaded file brings its name; the directory must exist.
 * What has the name already is replaced only with doOverwrite, and only if it is the asset that a tid names. Otherwise
 * the call is refused as a whole (403), and nothing of it stays.
 */
import { randomUUID } from 'node:crypto'
import { AssetUploadRequest, BadMessage, decode, formats, type Infer, type Type } from '@kontor/contract'
import type { Staged } from '../../../../adapters/blobs/blobs.ts'
import type { Done } from '../../../../core/batch/batch.ts'
import type { Context } from '../../../../core/context.ts'
import { limitsOf, toProblem } from '../../../../core/http/message.ts'
import { cleanName, cleanPath } from '../../../../core/batch/names.ts'
import type { StreamCall } from '../../../../core/http/streaming.ts'
import { Problem } from '../../../../errors.ts'
import { demand, demandUnlocked, findNamed, visible } from '../../../entries.ts'
import { type EntryRow, findHolders } from '../../../entries.sql.ts'
import { findFiles } from '../../../files.sql.ts'
import { demandBytes, duplicatesOf, fileOf, type FileServices, orderPreviews, withStored } from '../../../files.ts'
import { checkPath, cleanEntryName, keyOf } from '../../../names.ts'
import { findSpots, type Spot } from '../../../target-directories.ts'
import { type Field, readForm } from './form.ts'
import * as rows from './uploads.sql.ts'

export type UploadRequest = Infer<typeof AssetUploadRequest>

/** Where an uploaded file shall stand. */
export interface Target {
  /** Path of the directory or storage. */
  readonly dir: string
  readonly name: string
  readonly tid: string | undefined
  readonly overwrite: boolean
}

/** POST /assets/bin/persist */
export const upload = (services: FileServices) => async (call: StreamCall) => {
  const { request } = call
  const { blobs, config } = services
  const ctx = call.context()
  const isRepeatable = request.headers['idempotency-key'] !== undefined
  const paramsOf = (fields: ReadonlyMap<string, Field>) => readParams(services, AssetUploadRequest, fields)
  const form = await readForm(request, ['params'], config.maxUpload, async ({ name, stream }, fields) => {
    if (fields.has('params')) await checkTarget(ctx, toTarget(paramsOf(fields), name), isRepeatable)
    return blobs.stage(stream, config.maxUpload)
  })
  const { staged, fields, fileName } = form
  try {
    const params = paramsOf(fields)
    const target = toTarget(params, fileName)
    demandBytes(staged, params.checksum)
    const now = params.doPreviewsAsync === false
    const done = await withStored(services, call.caller(), staged, (ctx) =>
      call.once(ctx, [JSON.stringify(params), staged.sha256], () => storeAsset(ctx, target, staged, now)),
    )
    if (now) await services.previews.make(Number(done.id))
    return call.sendRecord(done)
  } finally {
    await staged.drop()
  }
}

/** The part `params`, in the format that the part names, or JSON. */
export function readParams<T extends Type>(
  { config }: FileServices,
  type: T,
  fields: ReadonlyMap<string, Field>,
): Infer<T> {
  const field = fields.get('params')
  if (!field) throw new Problem('invalid', `the form has no part params; send a ${type.name} as JSON`)
  const named = Object.values(formats).find(({ mediaType }) => mediaType === field.mediaType.toLowerCase())
  try {
    return decode(named ?? formats.json, type, Buffer.from(field.value), { limits: limitsOf(config) }) as Infer<T>
  } catch (error) {
    throw error instanceof BadMessage ? toProblem(error) : error
  }
}

export function toTarget(params: UploadRequest, fileName: string): Target {
  const path = params.path?.trim() ?? ''
  if (path === '') throw new Problem('invalid', '/assetUploadRequest/path: the path is missing')
  const whole = path.endsWith('/') ? path + fileName : path
  const clean = cleanPath(whole)
  const cut = clean.lastIndexOf('/')
  const [dir, name] = [
    clean.slice(0, cut),
    cleanEntryName('the file name', path.endsWith('/') ? fileName : clean.slice(cut + 1)),
  ]
  if (dir === '') throw new Problem('invalid', `/assetUploadRequest/path: ${path} names a storage, not a file in it`)
  for (const segment of dir.slice(1).split('/')) cleanEntryName('the directory', segment)
  checkPath(`${dir}/${name}`)
  const tid = params.tid === undefined ? undefined : cleanName('tid', params.tid)
  return { dir, name, tid, overwrite: params.doOverwrite ?? false }
}

/** The directory exists and the caller may put files there; asked before a byte is taken, and again when it is stored. */
export async function findSpot(ctx: Context, { dir }: Pick<Target, 'dir'>): Promise<Spot> {
  const find = await findSpots(ctx, [{ path: dir }])
  const spot = find({ path: dir })
  if (spot instanceof Problem) throw spot
  demand(ctx, 'create', 'asset', spot.path)
  return spot
}

/** A repeat finds its own file in the place, which is no reason to refuse it. */
async function checkTarget(ctx: Context, target: Target, isRepeatable: boolean): Promise<void> {
  const spot = await findSpot(ctx, target)
  if (!isRepeatable) await findReplaced(ctx, target, spot)
}

/** The asset that the upload replaces, if any; throws when it must not. */
async function findReplaced(ctx: Context, { name, tid, overwrite }: Target, spot: Spot): Promise<EntryRow | undefined> {
  const place = spot.parentId ?? spot.rncId
  const [holder] = await findHolders(ctx.db, [{ place, nameKey: keyOf(name) }])
  const path = `${spot.path}/${name}`
  if (holder?.kind === 'dir') throw new Problem('fileExists', `${path} is a directory`)
  const named = tid === undefined ? undefined : await findByTid(ctx, tid)
  if (named && named.id !== holder?.id)
    throw new Problem('fileExists', `the asset with the tid ${tid} is another file: ${named.path}`)
  if (!holder) return undefined
  if (!overwrite) throw new Problem('fileExists', `a file exists at ${path}; send doOverwrite to replace it`)
  if (tid !== undefined && tid !== holder.tid)
    throw new Problem('fileExists', `the file at ${path} has another tid: ${holder.tid}`)
  demand(ctx, 'update', 'asset', spot.path)
  demandUnlocked(ctx, holder)
  return holder
}

async function findByTid(ctx: Context, tid: string): Promise<EntryRow | undefined> {
  return (await findNamed(ctx, 'asset', [{ tid }]))({ tid })
}

/** Creates the asset, or gives the one that is there its new file. */
export async function storeAsset(ctx: Context, target: Target, staged: Staged, previewsNow: boolean): Promise<Done> {
  const spot = await findSpot(ctx, target)
  const replaced = await findReplaced(ctx, target, spot)
  const id = replaced ? await replace(ctx, replaced, staged) : await create(ctx, target, spot, staged)
  await orderPreviews(ctx, id.id, previewsNow)
  const details = await duplicatesOf(ctx, staged.sha256, id.id)
  return {
    ...id,
    dataType: 'asset',
    path: `${spot.path}/${replaced?.name ?? target.name}`,
    ...(details && { details }),
  }
}

async function create(ctx: Context, target: Target, spot: Spot, staged: Staged) {
  const tid = target.tid ?? randomUUID().toUpperCase()
  const { name } = target
  const asset = { tid, rncId: spot.rncId, parentId: spot.parentId, name, nameKey: keyOf(name), ...fileOf(name, staged) }
  const id = await insertAsset(ctx, asset, `${spot.path}/${name}`)
  return { action: 'create', id, tid }
}

/** Inserts an asset; the constraints have the last word about its name and tid. */
export async function insertAsset(ctx: Context, asset: rows.NewAsset, path: string): Promise<number> {
  const { name, sha256, size } = asset
  try {
    const id = await rows.insertAsset(ctx.db, asset, ctx.caller.userName)
    ctx.record({
      dataType: 'asset',
      id,
      event: 'CREATE',
      changes: { path: { to: path }, name: { to: name }, checksum: { to: sha256 }, fileSize: { to: size } },
    })
    return id
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string }
    if (code !== '23505') throw error
    const what = constraint === 'dam_entry_tid' ? `an asset has the tid ${asset.tid}` : `a file exists at ${path}`
    throw new Problem('fileExists', what, { cause: error })
  }
}

async function replace(ctx: Context, { id, tid, name }: EntryRow, staged: Staged) {
  const [row] = await findFiles(ctx.db, { ids: [id], tids: [], paths: [] }, visible(ctx, 'asset'), true)
  if (!row) throw new Problem('notFound', `no asset has the tid ${tid}`)
  await rows.replaceFile(ctx.db, id, fileOf(name, staged), ctx.caller.userName)
  const changes = { checksum: { from: row.sha256, to: staged.sha256 }, fileSize: { from: row.size, to: staged.size } }
  ctx.record({ dataType: 'asset', id, event: 'UPDATE', action: 'overwrite', changes })
  return { action: 'update', id, tid }
}
