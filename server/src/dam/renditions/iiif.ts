/**
 * The IIIF Image API 3, level 2, for viewers that zoom: parts of a picture in any size. The address of an image is signed
 * like those of other renditions. Pages of all sites can read the replies, because the address is the permission.
 */
import { maxRenditionPixels, maxRenditionSide } from '@kontor/contract'
import type { StreamCall } from '../../core/http/streaming.ts'
import { Problem } from '../../errors.ts'
import { sendFile } from '../assets/bin/download/download.ts'
import type { Signer } from '../assets/previews/urls.ts'
import type { FileRow } from '../files.sql.ts'
import type { FileServices } from '../files.ts'
import { demandUsable, endOf } from '../usage/usage.ts'
import { openToAll, publicUntil } from './answer.ts'
import { extensions, type Recipe, type Region } from './recipe.ts'
import { openAddress } from './urls.ts'

interface Size {
  readonly width: number
  readonly height: number
}

/** Files whose pixels are read as they are. The others have no size in pixels, or other pixels than their previews. */
const pictures = /^image\/(jpeg|png|gif|webp|avif|tiff)$/
const context = 'http://iiif.io/api/image/3/context.json'
const tile = 512
const formatOf = new Map(Object.entries(extensions).map(([format, extension]) => [extension as string, format]))

async function open({ database }: FileServices, signer: Signer, image: string) {
  const [id = '', until = '', key = ''] = image.split('.')
  const address = { asset: Number(id), what: 'iiif', until: Number(until), key }
  if (!/^\d{1,15}\.\d{1,15}\.[\w-]+$/.test(image))
    throw new Problem('forbidden', 'this URL was not issued by this server or was changed')
  const { asset } = await openAddress(database, signer, address)
  const { width, height, mime } = asset
  if (!pictures.test(mime) || !width || !height)
    throw new Problem('notFound', `${mime} is not served as an image here, or its import has not ended yet`)
  demandUsable(asset)
  return { asset, whole: { width, height }, until: Math.min(address.until, endOf(asset)) }
}

/** GET /renditions/iiif/{image} */
export const iiifBase = (services: FileServices, signer: Signer, base: string) => async (call: StreamCall) => {
  await open(services, signer, call.params.image!)
  // The path of the request lacks what a proxy adds to it.
  const { pathname } = new URL(addressOf(services, base, call))
  return openToAll(call.reply).redirect(`${pathname}/info.json`, 303)
}

const addressOf = ({ config }: FileServices, base: string, { params }: StreamCall) =>
  `${config.baseUrl}${base}/renditions/iiif/${params.image}`

/** GET /renditions/iiif/{image}/info.json */
export const iiifInfo = (services: FileServices, signer: Signer, base: string) => async (call: StreamCall) => {
  const { whole, until } = await open(services, signer, call.params.image!)
  const type = call.request.headers.accept?.includes('application/ld+json')
    ? `application/ld+json;profile="${context}"`
    : 'application/json'
  return openToAll(call.reply)
    .headers({ 'cache-control': publicUntil(until), vary: 'accept' })
    .header('content-type', type)
    .send(JSON.stringify(infoOf(addressOf(services, base, call), whole)))
}

function infoOf(id: string, { width, height }: Size) {
  const largest = Math.max(width, height)
  const scaleFactors = [1, 2, 4, 8, 16, 32, 64].filter((factor, i) => i === 0 || largest / factor > tile / 2)
  const sizes = scaleFactors
    .filter((factor) => isAllowed({ width: width / factor, height: height / factor }))
    .map((factor) => ({ width: Math.ceil(width / factor), height: Math.ceil(height / factor) }))
  return {
    '@context': context,
    id,
    type: 'ImageService3',
    protocol: 'http://iiif.io/api/image',
    profile: 'level2',
    width,
    height,
    maxWidth: maxRenditionSide,
    maxHeight: maxRenditionSide,
    maxArea: maxRenditionPixels,
    sizes: sizes.toReversed(),
    tiles: [{ width: tile, scaleFactors }],
    extraFormats: ['webp', 'avif', 'tif'],
    extraQualities: ['color', 'gray', 'bitonal'],
    extraFeatures: ['mirroring', 'sizeUpscaling'],
  }
}

const isAllowed = ({ width, height }: Size) =>
  width <= maxRenditionSide && height <= maxRenditionSide && width * height <= maxRenditionPixels

/** GET /renditions/iiif/{image}/{region}/{size}/{rotation}/{file} */
export const iiifImage = (services: FileServices, signer: Signer) => async (call: StreamCall) => {
  const { asset, whole, until } = await open(services, signer, call.params.image!)
  const recipe = recipeOf(whole, call.params)
  const { sha256, size, mime } = await services.renditions(asset, recipe, `asset ${asset.id}`)
  openToAll(call.reply)
  const file = { sha256, size, mime, name: nameOf(asset, recipe), modifiedAt: asset.modifiedAt }
  return sendFile(services, call, { ...file, cacheControl: publicUntil(until) })
}

const nameOf = ({ name }: FileRow, { format = 'jpeg' }: Recipe) =>
  `${name.replace(/\.[^.]*$/, '')}.${extensions[format]}`

function recipeOf(whole: Size, params: Readonly<Record<string, string>>): Recipe {
  const { region: part = '', size = '', rotation = '', file = '' } = params
  const region = regionOf(part, whole)
  const isWhole = region.width === whole.width && region.height === whole.height
  const [, mirror, degrees] =
    /^(!)?(0|90|180|270)$/.exec(rotation) ?? refuse('rotation', rotation, 'expected 0, 90, 180 or 270')
  const [, quality, extension] =
    /^(default|color|gray|bitonal)\.(\w+)$/.exec(file) ??
    refuse('quality', file, 'expected default, color, gray or bitonal, and a format')
  const format = formatOf.get(extension!)
  if (!format) refuse('format', extension!, `expected ${[...formatOf.keys()].join(', ')}`)
  return {
    ...sizeOf(size, region),
    ...(!isWhole && { region }),
    fit: 'fill',
    enlarge: true,
    format: format as NonNullable<Recipe['format']>,
    ...(quality === 'gray' && { colourSpace: 'gray' as const }),
    ...(quality === 'bitonal' && { bitonal: true as const }),
    ...(degrees !== '0' && { rotation: Number(degrees) as 90 | 180 | 270 }),
    ...(mirror !== undefined && { mirror: true as const }),
  }
}

function refuse(what: string, found: string, expected: string): never {
  throw new Problem('invalid', `${what}: ${expected}, found ${found.slice(0, 100)}`)
}

function regionOf(text: string, { width, height }: Size): Region {
  if (text === 'full') return { left: 0, top: 0, width, height }
  if (text === 'square') {
    const side = Math.min(width, height)
    return { left: Math.floor((width - side) / 2), top: Math.floor((height - side) / 2), width: side, height: side }
  }
  const number = String.raw`(\d{1,9}(?:\.\d{1,9})?)`
  const found = new RegExp(`^(pct:)?${number},${number},${number},${number}$`).exec(text)
  if (!found || (!found[1] && text.includes('.')))
    return refuse('region', text, 'expected full, square, x,y,w,h or pct:x,y,w,h')
  const [x = 0, y = 0, w = 0, h = 0] = found.slice(2).map(Number)
  const [right, down] = found[1] ? [width / 100, height / 100] : [1, 1]
  const [left, top] = [Math.round(x * right), Math.round(y * down)]
  const cut = {
    left,
    top,
    width: Math.min(Math.round(w * right), width - left),
    height: Math.min(Math.round(h * down), height - top),
  }
  if (cut.width < 1 || cut.height < 1)
    refuse('region', text, `expected a part of the picture, which has ${width} × ${height} pixels`)
  return cut
}

function sizeOf(text: string, { width: w, height: h }: Size): Size {
  const [, upscales, rest = ''] = /^(\^)?(.*)$/.exec(text)!
  const exact = wantedSize(rest, { width: w, height: h }, upscales !== undefined)
  const size = { width: Math.max(1, Math.round(exact.width)), height: Math.max(1, Math.round(exact.height)) }
  if (!isAllowed(size)) refuse('size', text, `expected at most ${maxRenditionPixels} pixels`)
  if (upscales === undefined && (size.width > w || size.height > h))
    refuse('size', text, `expected at most the ${w} × ${h} pixels of the region; write ^ before it to enlarge`)
  return size
}

function wantedSize(text: string, { width: w, height: h }: Size, upscales: boolean): Size {
  const most = Math.min(maxRenditionSide / w, maxRenditionSide / h, Math.sqrt(maxRenditionPixels / (w * h)))
  const largest = { width: Math.floor(w * most), height: Math.floor(h * most) }
  if (text === 'max') return upscales || most < 1 ? largest : { width: w, height: h }
  const percent = /^pct:(\d{1,5}(?:\.\d{1,9})?)$/.exec(text)
  if (percent && Number(percent[1]) > 0)
    return { width: (w * Number(percent[1])) / 100, height: (h * Number(percent[1])) / 100 }
  const [, confined, width, height] = /^(!)?(\d{1,9})?,(\d{1,9})?$/.exec(text) ?? []
  if ((width ?? height) === undefined || Number(width ?? 1) === 0 || Number(height ?? 1) === 0)
    return refuse('size', text, 'expected max, w,, ,h, pct:n, w,h or !w,h')
  if (confined !== undefined || width === undefined || height === undefined) {
    const scale = Math.min(
      Number(width ?? Infinity) / w,
      Number(height ?? Infinity) / h,
      confined && !upscales ? 1 : Infinity,
    )
    return confined && scale > most ? largest : { width: w * scale, height: h * scale }
  }
  return { width: Number(width), height: Number(height) }
}
