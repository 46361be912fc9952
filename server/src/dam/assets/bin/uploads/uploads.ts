/**
 * Uploads in one request: POST /assets/bin/persist.
 *
 * A path ends with a file name, or with / to use the name of the uploaded file. The directory must exist. An existing
 * file is replaced only with doOverwrite, and only if it belongs to the asset with the given tid. Otherwise the whole
 * request is refused (403) and nothing is stored.
 */
import { randomUUID } from 'node:crypto'
import { because, AssetUploadRequest, BadMessage, decode, formats, type Infer, type Type } from '@kontor/contract'
import type { Done } from '../../../../core/batch/batch.ts'
import type { Context } from '../../../../core/context.ts'
import { limitsOf, toProblem } from '../../../../core/http/message.ts'
import { formatNamed } from '../../../../core/http/negotiate.ts'
import { cleanName, cleanPath } from '../../../../core/batch/names.ts'
import type { StreamCall } from '../../../../core/http/streaming.ts'
import { Problem } from '../../../../errors.ts'
import { demand, demandUnlocked, findNamed, visible } from '../../../entries.ts'
import { type EntryRow, findHolders } from '../../../entries.sql.ts'
import { findFiles } from '../../../files.sql.ts'
import {
  demandBytes,
  duplicatesOf,
  fileOf,
  type FileServices,
  queuePreviews,
  type Received,
  withStored,
} from '../../../files.ts'
import { checkPath, newEntryName, sentEntryName, keyOf } from '../../../names.ts'
import { findLocations, type Location } from '../../../locations.ts'
import { type Field, readForm } from './form.ts'
import * as rows from './uploads.sql.ts'

export type UploadRequest = Infer<typeof AssetUploadRequest>

/** The target of an upload. */
export interface Target {
  /** The path of the directory or storage. */
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
    if (now) await services.previews.makeNow(Number(done.id))
    return call.sendRecord(done)
  } finally {
    await staged.drop()
  }
}

/** The form field `params`, in the format of its Content-Type, by default JSON. */
export function readParams<T extends Type>(
  { config }: FileServices,
  type: T,
  fields: ReadonlyMap<string, Field>,
): Infer<T> {
  const field = fields.get('params')
  if (!field) throw new Problem('invalid', `the form has no part params; send a ${type.name} as JSON`)
  const named = formatNamed(field.mediaType.toLowerCase())
  try {
    return decode(named ?? formats.json, type, Buffer.from(field.value), { limits: limitsOf(config) }) as Infer<T>
  } catch (error) {
    throw error instanceof BadMessage ? toProblem(error) : error
  }
}

export function toTarget(params: UploadRequest, fileName: string): Target {
  const { path = '' } = params
  if (path.trim() === '') throw new Problem('invalid', '/assetUploadRequest/path: the path is missing')
  const whole = path.endsWith('/') ? path + fileName : path
  const clean = cleanPath(whole)
  const cut = clean.lastIndexOf('/')
  const [dir, name] = [
    clean.slice(0, cut),
    newEntryName('the file name', path.endsWith('/') ? fileName : path.slice(path.lastIndexOf('/') + 1)),
  ]
  if (dir === '') throw new Problem('invalid', `/assetUploadRequest/path: ${path} names a storage, not a file in it`)
  for (const segment of dir.slice(1).split('/')) sentEntryName('the directory', segment)
  checkPath(`${dir}/${name}`)
  const tid = params.tid === undefined ? undefined : cleanName('tid', params.tid)
  return { dir, name, tid, overwrite: params.doOverwrite ?? false }
}

/**
 * Checks that the directory exists and that the caller may create files in it. Called before the file is received and
 * again when it is stored.
 */
export async function findLocation(ctx: Context, { dir }: Pick<Target, 'dir'>): Promise<Location> {
  const find = await findLocations(ctx, [{ path: dir }])
  const location = find({ path: dir })
  if (location instanceof Problem) throw dir.lastIndexOf('/') > 0 ? withRemedy(location) : location
  demand(ctx, 'create', 'asset', location.path)
  return location
}

const withRemedy = ({ kind, message }: Problem) =>
  new Problem(kind, `${message}; create it with the action createPath of dam/dirs/perform`)

/** A repeated request finds its own file at the target, which must not fail. */
async function checkTarget(ctx: Context, target: Target, isRepeatable: boolean): Promise<void> {
  const location = await findLocation(ctx, target)
  if (!isRepeatable) await findReplaced(ctx, target, location)
}

/** The asset that the upload replaces, if any. Throws if it must not be replaced. */
async function findReplaced(
  ctx: Context,
  { name, tid, overwrite }: Target,
  location: Location,
): Promise<EntryRow | undefined> {
  const containerId = location.parentId ?? location.rncId
  const [holder] = await findHolders(ctx.db, [{ containerId, nameKey: keyOf(name) }])
  const path = `${location.path}/${name}`
  if (holder?.kind === 'dir') throw new Problem('fileExists', because('folderThere', { path }))
  const named = tid === undefined ? undefined : await findByTid(ctx, tid)
  if (named && named.id !== holder?.id)
    throw new Problem('fileExists', `the asset with the tid ${tid} belongs to another file: ${named.path}`)
  if (!holder) return undefined
  if (!overwrite) throw new Problem('fileExists', because('fileThere', { path }))
  if (tid !== undefined && tid !== holder.tid)
    throw new Problem('fileExists', `the file at ${path} has another tid: ${holder.tid}`)
  demand(ctx, 'update', 'asset', location.path)
  demandUnlocked(ctx, holder)
  return holder
}

async function findByTid(ctx: Context, tid: string): Promise<EntryRow | undefined> {
  return (await findNamed(ctx, 'asset', [{ tid }]))({ tid })
}

/** Creates the asset or replaces its file. */
export async function storeAsset(ctx: Context, target: Target, staged: Received, previewsNow: boolean): Promise<Done> {
  const location = await findLocation(ctx, target)
  const replaced = await findReplaced(ctx, target, location)
  const id = replaced ? await replace(ctx, replaced, staged) : await create(ctx, target, location, staged)
  await queuePreviews(ctx, id.id, previewsNow)
  const details = await duplicatesOf(ctx, staged.sha256, id.id)
  return {
    ...id,
    dataType: 'asset',
    path: `${location.path}/${replaced?.name ?? target.name}`,
    ...(details && { details }),
  }
}

async function create(ctx: Context, target: Target, location: Location, staged: Received) {
  const tid = target.tid ?? randomUUID().toUpperCase()
  const { name } = target
  const asset = {
    tid,
    rncId: location.rncId,
    parentId: location.parentId,
    name,
    nameKey: keyOf(name),
    ...fileOf(name, staged),
  }
  const id = await insertAsset(ctx, asset, `${location.path}/${name}`)
  return { action: 'create', id, tid }
}

/** Inserts an asset. Constraints decide whether its name and tid are free. */
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

async function replace(ctx: Context, { id, tid, name }: EntryRow, staged: Received) {
  const [row] = await findFiles(ctx.db, { ids: [id], tids: [], paths: [] }, visible(ctx, 'asset'), true)
  if (!row) throw new Problem('notFound', `no asset has the tid ${tid}`)
  await rows.replaceFile(ctx.db, id, fileOf(name, staged), ctx.caller.userName)
  const changes = { checksum: { from: row.sha256, to: staged.sha256 }, fileSize: { from: row.size, to: staged.size } }
  ctx.record({ dataType: 'asset', id, event: 'UPDATE', action: 'overwrite', changes })
  return { action: 'update', id, tid }
}
