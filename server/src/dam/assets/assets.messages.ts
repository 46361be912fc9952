/** Converts asset rows to messages. */
import type { Asset, Infer, orientations } from '@kontor/contract'
import { type LinksMessage, embeddedLinks, type Targets, toMeta } from '../../common/api.ts'
import { allowsAt } from '../../core/access/permissions.ts'
import type { Context } from '../../core/context.ts'
import { loadRules } from '../attribute-definitions/rules.ts'
import { rightsOf } from '../entries.ts'
import { findPreviews } from '../files.sql.ts'
import type { MediaFacts } from './previews/message.ts'
import type { PreviewUrlOf } from './previews/urls.ts'
import { toPreviews } from './previews/retrieve.ts'
import { readableChannels, toUsage } from '../usage/terms.ts'
import { etagOf } from './assets.etag.ts'
import { loadHistories } from './assets.histories.ts'
import * as rows from './assets.sql.ts'

export type AssetValue = Infer<typeof Asset>

export interface MessageNeeds {
  /** Kinds of objects that assets can be linked to. */
  readonly targets: Targets
  readonly previewUrl: PreviewUrlOf
}

/** Selects the optional parts of an asset message. */
interface Extent {
  readonly meta: boolean
  readonly histories: boolean
  readonly previews: boolean
  /** True if the reply is about a single asset and so carries its ETag. */
  readonly tag: boolean
}

const pageSize = 1000

/** Streams the assets in the order of their ids. Each page costs the same few statements. */
export async function* streamAssets(
  ctx: Context,
  { targets, previewUrl }: MessageNeeds,
  ids: readonly number[],
  extent: Extent,
) {
  const { db } = ctx
  const rules = await loadRules(db)
  const rightsAt = rightsOf(ctx, 'asset')
  for (let at = 0; at < ids.length; at += pageSize) {
    const page = ids.slice(at, at + pageSize)
    const assets = new Map((await rows.readAssets(db, page)).map((row) => [row.id, row]))
    const keywords = Map.groupBy(await rows.findKeywords(db, page), ({ assetId }) => assetId)
    const others = await embeddedLinks(ctx, 'asset', targets, page)
    const historyOf = extent.histories ? await loadHistories(ctx, targets, rules, page) : undefined
    const channels = [...assets.values()].flatMap(({ usage }) => usage?.channels ?? [])
    const readableOnes = await readableChannels(ctx, targets, channels)
    const previews = extent.previews ? Map.groupBy(await findPreviews(db, page), ({ assetId }) => assetId) : undefined
    for (const id of page) {
      const row = assets.get(id)
      if (!row) continue
      const rights = rightsAt(row.dirPath)
      const vals = rules.view(row.vals, rights)
      const readable = keywords.get(id)?.filter(({ path }) => allowsAt(ctx.caller.permissions, 'read', 'keyword', path))
      const links = toLinks(readable, others.get(id))
      if (extent.tag) ctx.tag?.(etagOf(row, { keywords: keywords.get(id), others: others.get(id) }))
      yield {
        name: row.name,
        ...(extent.meta && { meta: toMeta(factsOf(row), row.meta, rights) }),
        ...(vals && { vals }),
        ...(links && { links }),
        ...(row.usage && { usageRights: toUsage(row.usage, readableOnes) }),
        ...(historyOf && { histories: { history: historyOf(row) } }),
        ...(previews && { previews: toPreviews(row.tid, previews.get(id) ?? [], previewUrl) }),
        ...identityOf(row),
      } satisfies AssetValue
    }
  }
}

/** Keywords by path, and other links in the format of /common/links. */
function toLinks(
  keywords: readonly { path: string }[] = [],
  { itms = [] }: LinksMessage = {},
): LinksMessage | undefined {
  const kwds = { type: 'kwds', itm: keywords.map(({ path }, pos) => ({ value: path, pos })) }
  const groups = [...(keywords.length > 0 ? [kwds] : []), ...itms.filter(({ type }) => type !== 'keywordToAsset')]
  return groups.length > 0 ? { itms: groups } : undefined
}

/** The identifying fields of an asset, included in every reply. */
export const identityOf = (row: rows.AssetRow) => ({
  tid: row.tid,
  id: row.id,
  type: row.type!,
  ...(row.parent !== null && { parent: row.parent }),
  rnc: row.rnc,
  path: row.path,
})

/** Meta keys that the system computes. Clients may send them back; they are ignored. */
export const systemKeys: ReadonlySet<string> = new Set([
  'creationDate',
  'creationUser',
  'modificationDate',
  'modificationUser',
  'fileSize',
  'mimeType',
  'width',
  'height',
  'resolution',
  'colorSpace',
  'duration',
  'frameRate',
  'videoCodec',
  'audioCodec',
  'audioChannels',
  'sampleRate',
  'bitRate',
  'rotation',
  'mediaTitle',
  'mediaArtist',
  'orientation',
  'dominantColours',
  'dominantColourValues',
  'analysisNote',
  'checksum',
  'contentStatus',
  'lockedBy',
  'lockedDate',
  'numberOfVersions',
  'importStatus',
  'objectStatus',
])

function factsOf(row: rows.AssetRow): Record<string, string> {
  const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined)
  const facts: Record<string, string | undefined> = {
    creationDate: row.createdAt.toISOString(),
    creationUser: row.createdBy,
    modificationDate: row.modifiedAt.toISOString(),
    modificationUser: row.modifiedBy,
    fileSize: String(row.size),
    mimeType: row.mime,
    width: text(row.width),
    height: text(row.height),
    resolution: text(row.embedded.resolution),
    colorSpace: text(row.embedded.colorSpace),
    ...Object.fromEntries(Object.entries(mediaFields(row)).map(([key, value]) => [key, text(value)])),
    orientation: orientationsOf(row).join(',') || undefined,
    dominantColours: row.look?.colours.join(',') || undefined,
    dominantColourValues: row.look?.colourValues.join(',') || undefined,
    analysisNote: row.look?.note ?? undefined,
    checksum: row.sha256,
    contentStatus: row.hold?.state,
    lockedBy: row.lockedBy ?? undefined,
    lockedDate: row.lockedAt?.toISOString(),
    numberOfVersions: String(row.versions),
    ...statusOf(row),
  }
  return Object.fromEntries(Object.entries(facts).filter((fact): fact is [string, string] => fact[1] !== undefined))
}

/** The facts of a film or a sound, under the names of meta items and search fields. */
export function mediaFields({ embedded }: Pick<rows.AssetRow, 'embedded'>) {
  const { media = {} } = embedded as { media?: MediaFacts }
  return {
    duration: media.duration ?? null,
    frameRate: media.frameRate ?? null,
    videoCodec: media.videoCodec ?? null,
    audioCodec: media.audioCodec ?? null,
    audioChannels: media.channels ?? null,
    sampleRate: media.sampleRate ?? null,
    bitRate: media.bitRate ?? null,
    rotation: media.rotation ?? null,
    mediaTitle: media.title ?? null,
    mediaArtist: media.artist ?? null,
  }
}

/** From this proportion on, a picture is also a panorama. */
const panorama = 2

/** A query cannot compare two fields, so the proportion is a field of its own. */
export function orientationsOf({ width, height }: rows.AssetRow): (typeof orientations)[number][] {
  if (!width || !height) return []
  if (width === height) return ['square']
  const isWide = Math.max(width, height) >= panorama * Math.min(width, height)
  return [width > height ? 'landscape' : 'portrait', ...(isWide ? (['panorama'] as const) : [])]
}

export function statusOf({ importStatus, lockedBy, deletedAt }: rows.AssetRow) {
  const objectStatus =
    deletedAt !== null
      ? 'marked for deletion'
      : lockedBy !== null
        ? 'locked'
        : importStatus === 'available'
          ? 'available'
          : 'import incomplete'
  return { importStatus, objectStatus }
}
