/** Variations: uploads of a file as a new asset derived from an existing one, and the trees of variations. */
import { randomUUID } from 'node:crypto'
import {
  AssetVariationUploadRequest,
  formats,
  decode,
  BadMessage,
  type Infer,
  schemaVersion,
  VariationRequest,
  type Type,
} from '@kontor/contract'
import type { Staged } from '../../../adapters/blobs/blobs.ts'
import type { Done } from '../../../core/batch/batch.ts'
import type { Context } from '../../../core/context.ts'
import { toProblem } from '../../../core/http/message.ts'
import type { StreamCall } from '../../../core/http/streaming.ts'
import { replyMeta } from '../../../core/http/reply.ts'
import type { Call } from '../../../core/http/routes.ts'
import { Problem } from '../../../errors.ts'
import { demand, notFound, visible } from '../../entries.ts'
import { demandBytes, fileOf, type FileServices, duplicatesOf, queuePreviews, withStored } from '../../files.ts'
import { type FileRow, findFiles } from '../../files.sql.ts'
import { newEntryName, keyOf } from '../../names.ts'
import { readForm } from '../bin/uploads/form.ts'
import { insertAsset, readParams } from '../bin/uploads/uploads.ts'
import * as rows from './variations.sql.ts'

type VariationUpload = Infer<typeof AssetVariationUploadRequest>

/** POST /assets/variations/bin/persist */
export const uploadVariation = (services: FileServices) => async (call: StreamCall) => {
  const { blobs, config } = services
  const form = await readForm(call.request, ['params'], config.maxUpload, async ({ stream }, fields) => {
    if (fields.has('params'))
      await findOrigin(call.context(), readParams(services, AssetVariationUploadRequest, fields))
    return blobs.stage(stream, config.maxUpload)
  })
  try {
    const params = readParams(services, AssetVariationUploadRequest, form.fields)
    demandBytes(form.staged, params.checksum)
    const done = await withStored(services, call.caller(), form.staged, (ctx) =>
      call.once(ctx, [JSON.stringify(params), form.staged.sha256], () =>
        storeVariation(ctx, params, form.fileName, form.staged),
      ),
    )
    return call.sendRecord(done)
  } finally {
    await form.staged.drop()
  }
}

/** The asset that the variation is derived from. Throws if the asset or the variation type does not exist. */
async function findOrigin(ctx: Context, { tid, variationType }: VariationUpload): Promise<FileRow> {
  if (tid === undefined) throw new Problem('invalid', '/assetVariationUploadRequest/tid: the asset is missing')
  const [origin] = await findFiles(ctx.db, { tids: [tid], ids: [], paths: [] }, visible(ctx, 'asset'))
  if (!origin) throw notFound('asset', { tid })
  demand(ctx, 'create', 'asset', origin.dirPath)
  const types = (await rows.listTypes(ctx.db)).map((type) => type.tid)
  if (variationType === undefined || !types.includes(variationType))
    throw new Problem('invalid', `/assetVariationUploadRequest/variationType: expected one of ${types.join(', ')}`)
  return origin
}

async function storeVariation(ctx: Context, params: VariationUpload, fileName: string, staged: Staged): Promise<Done> {
  const origin = await findOrigin(ctx, params)
  const name = newEntryName('the file name', params.variationFileName ?? fileName)
  const tid = randomUUID().toUpperCase()
  const asset = {
    tid,
    rncId: origin.rncId,
    parentId: origin.parentId,
    name,
    nameKey: keyOf(name),
    ...fileOf(name, staged),
    variationOf: origin.id,
    variationType: params.variationType!,
  }
  const id = await insertAsset(ctx, asset, `${origin.dirPath}/${name}`)
  await queuePreviews(ctx, id, false)
  const details = { variationTid: tid, variationId: String(id), ...(await duplicatesOf(ctx, staged.sha256, id)) }
  return { action: 'update', dataType: 'variation', tid: origin.tid, path: `${origin.dirPath}/${name}`, details }
}

/** POST /assets/variations/retrieve */
export async function retrieveVariations(ctx: Context, call: Call<Infer<typeof VariationRequest> | undefined>) {
  const { assetIds = [], assetTids = [], assetPaths = [] } = call.body ?? argument(call, VariationRequest)
  const names = { ids: assetIds, tids: assetTids, paths: assetPaths }
  if (Object.values(names).every((list) => list.length === 0))
    throw new Problem('invalid', '/variationRequest: names no asset; send assetTids, assetIds or assetPaths')
  const assets = await findFiles(ctx.db, names, visible(ctx, 'asset'))
  if (assets.length === 0) throw new Problem('notFound', 'there is no asset with these identifiers')
  const tree = await rows.findTrees(
    ctx.db,
    assets.map(({ id }) => id),
    visible(ctx, 'asset'),
  )
  const variation = tree.map(({ id, tid, parentTid, type }) => ({
    assetId: id,
    assetTid: tid,
    ...(parentTid !== null && { meta: { itm: [{ value: type!, key: 'variationType' }] }, parentTid }),
  }))
  return { schemaVersion, meta: replyMeta(ctx.config, { itemInformationType: 'variation' }), variations: { variation } }
}

/** POST /assets/variations/types, and /types/retrieve */
export async function retrieveVariationTypes(ctx: Context) {
  const variationType = await rows.listTypes(ctx.db)
  if (variationType.length === 0) throw new Problem('notFound', 'there is no variation type')
  const meta = replyMeta(ctx.config, { itemInformationType: 'variationType' })
  return { schemaVersion, meta, variationTypes: { variationType } }
}

/** Reads the request as JSON from the query string, for clients that send it there. */
export function argument<T extends Type>({ query }: Call<unknown>, type: T): Infer<T> {
  if (query.arg0 === undefined) throw new Problem('invalid', `/${type.name}: the body is missing`)
  try {
    return decode(formats.json, type, Buffer.from(query.arg0)) as Infer<T>
  } catch (error) {
    throw error instanceof BadMessage ? toProblem(error) : error
  }
}
