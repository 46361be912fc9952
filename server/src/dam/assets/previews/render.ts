/**
 * Makes the previews of one file: converts it to one image and scales that to three sizes.
 *
 *   image         decoded once, at the size of the largest preview; the smaller ones are scaled from that
 *   HEIC          likewise, if libheif's program or decoder is available
 *   PDF           its first page, and further pages if requested
 *   film, sound   a still or the waveform, if ffmpeg is available
 *   Office        converted to PDF, if LibreOffice is available
 *
 * Previews contain no metadata of the file.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { readEmbedded } from './embedded.ts'
import { fromAudio, fromVideo } from './film.ts'
import { lookOf } from './look.ts'
import type { Box, Look, Made, MadePreview, Order } from './message.ts'
import { fromOffice } from './office.ts'
import { fromPdf } from './pdf.ts'
import { fullsizeAt, larger, type Picture, scaleFor, settled } from './picture.ts'
import { textsOf } from './texts.ts'
import { runTool } from './tools.ts'

sharp.concurrency(1)
sharp.cache(false)

const maxSvg = 5 * 1024 * 1024
/** Assumed if an image does not state its resolution. */
const defaultDensity = 72

type Converter = (order: Order) => Promise<Picture | undefined>

/** Converters by media type or its first part. Other files have no previews. */
// prettier-ignore
const converters: ReadonlyMap<string, Converter> = new Map([
  ...['jpeg', 'png', 'gif', 'webp', 'avif', 'tiff'].map((kind): [string, Converter] => [`image/${kind}`, fromImage]),
  ['image/heic', fromHeic],
  ['image/svg+xml', fromSvg],
  ['application/pdf', (order) => fromPdf(order.file, order)],
  ['application/illustrator', (order) => fromPdf(order.file, order)],
  ['video', fromVideo],
  ['audio', fromAudio],
  ['application/msword', fromOffice],
  ['application/rtf', fromOffice],
  ['application/vnd', fromOffice],
])

/** Undefined if there is no picture of files of this type. */
export async function toPicture(order: Order): Promise<Picture | undefined> {
  const { mime } = order
  const parts = mime.split(/[/.]/).slice(0, mime.startsWith('application/vnd') ? 2 : 1)
  return (converters.get(mime) ?? converters.get(parts.join('/')))?.(order)
}

export async function render(order: Order, onThumbnail: (thumbnail: MadePreview) => void): Promise<Made> {
  const { number, mime } = order
  const thumbnail = await makeThumbnail(order).catch(() => undefined) // what is wrong with the file is reported below
  if (thumbnail) onThumbnail(thumbnail)
  const embedded = await readEmbedded(order.file, mime)
  const picture = await toPicture(order)
  if (!picture?.image) return { number, embedded: { ...embedded, ...picture }, previews: [] }
  const { width, height, facts, media, peaks } = picture
  const { previews, look } = await makePreviews({ ...picture, image: picture.image }, order, thumbnail)
  const made = {
    number,
    embedded: { ...embedded, ...facts, ...(media && { media }) },
    previews: [...previews, ...(await makePages(picture, order))],
  }
  return {
    ...made,
    ...(isPicture(mime) && { look }),
    ...(peaks && { peaks }),
    ...(width && height && Math.max(width, height) <= maxSide && { width, height }),
  }
}
/** The page of a document may claim any size; the database takes this one. */
const maxSide = 2 ** 31 - 1

const isPicture = (mime: string) => mime.startsWith('image/')

/** Finds the look of a picture or the text of a document. Pictures with previews are analysed with them. */
export async function analyse(order: Order): Promise<Made> {
  const made = { number: order.number, embedded: {}, previews: [] }
  if (!isPicture(order.mime)) {
    const { pages, isCut } = await textsOf(order)
    return { ...made, pages, ...(isCut && { problem: 'the document is long; the rest of its text is not searched' }) }
  }
  const picture = await toPicture(order)
  if (!picture?.image) throw new Error('there is no picture of files of this type')
  const scaled = picture.image.autoOrient().resize(fit(order.boxes.preview)).toColourspace('srgb').raw()
  const { data, info } = await scaled.toBuffer({ resolveWithObject: true })
  return { ...made, look: await lookOf({ data, ...info }) }
}

const fit = ({ width, height }: Box) => ({ width, height, fit: 'inside', withoutEnlargement: true }) as const

/**
 * A JPEG can be decoded at an eighth of its size, so its thumbnail is ready long before the other previews. For other
 * formats this would mean decoding the file twice.
 */
async function makeThumbnail({ file, mime, maxPixels, boxes, folder }: Order): Promise<MadePreview | undefined> {
  if (mime !== 'image/jpeg') return undefined
  const image = sharp(file, { limitInputPixels: maxPixels, failOn: 'error' })
  const made = join(folder, 'thumbnail')
  const scaled = image.autoOrient().resize(fit(boxes.thumbnail)).toColourspace('srgb').jpeg({ quality: 80 })
  const { width, height } = await scaled.toFile(made)
  return { format: 'thumbnail', file: made, mime, width, height }
}

async function makePreviews(
  { image, fullsize }: Picture & { readonly image: Sharp },
  { boxes: wanted, folder }: Order,
  thumbnail: MadePreview | undefined,
): Promise<{ previews: MadePreview[]; look: Look }> {
  const boxes = { ...wanted, ...(fullsize && { fullsize }) }
  const { data, info } = await image
    .autoOrient()
    .resize(fit(larger(boxes.fullsize, boxes.preview)))
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const [kind, mime] =
    channels === 4 || channels === 2 ? (['webp', 'image/webp'] as const) : (['jpeg', 'image/jpeg'] as const)
  const previews: MadePreview[] = thumbnail ? [thumbnail] : []
  let raw = { data, width, height, channels }
  for (const format of ['fullsize', 'preview', ...(thumbnail ? [] : (['thumbnail'] as const))] as const) {
    const source = sharp(raw.data, { raw: { width: raw.width, height: raw.height, channels: raw.channels } })
    const smaller = source.resize(fit(boxes[format]))
    if (format === 'preview') {
      const { data, info } = await smaller.clone().raw().toBuffer({ resolveWithObject: true })
      raw = { data, width: info.width, height: info.height, channels: info.channels }
    }
    const file = join(folder, format)
    const isWhole = format === 'fullsize' && !fullsize
    const made = await (isWhole ? source : smaller).toFormat(kind, { quality: 80 }).toFile(file)
    previews.push({ format, file, mime, width: made.width, height: made.height })
  }
  return { previews, look: await lookOf(raw) }
}

/** Renders the pages after the first, each at the full size. */
async function makePages({ pages }: Picture, { boxes, folder }: Order): Promise<MadePreview[]> {
  const made: MadePreview[] = []
  for await (const image of pages ?? []) {
    const format = `page-${made.length + 2}` as const
    const file = join(folder, format)
    const { width, height } = await image.resize(fit(boxes.fullsize)).jpeg({ quality: 80 }).toFile(file)
    made.push({ format, file, mime: 'image/jpeg', width, height })
  }
  return made
}

async function fromImage(order: Order): Promise<Picture> {
  const image = sharp(order.file, { limitInputPixels: order.maxPixels, failOn: 'error', pages: 1 })
  const { autoOrient, density, space } = await image.metadata()
  const facts = { colorSpace: space, ...(density !== undefined && { resolution: String(density) }) }
  return { image, ...autoOrient, facts, ...fullsizeAt(order, autoOrient, density ?? defaultDensity) }
}

const unlimited: Box = { width: Infinity, height: Infinity }

/**
 * libheif already applies the rotation of the file, so the EXIF orientation must not be applied a second time: only the
 * pixels are kept, or metadata whose orientation is reset.
 */
async function fromHeic(order: Order): Promise<Picture> {
  const { folder, tools, maxPixels, boxes, drawing } = order
  if (!tools.heif) return fromImage(order)
  const decoded = join(folder, 'decoded.jpg')
  await runTool(order, tools.heif, (input) => ['-q', '95', input, decoded])
  // The program numbers its results if a file has several pictures, such as a burst; the first one is shown.
  const first = existsSync(decoded) ? decoded : join(folder, 'decoded-1.jpg')
  const image = sharp(first, { limitInputPixels: maxPixels })
  const { width, height, space, density } = await image.metadata()
  const scale = Math.min(
    1,
    scaleFor(order, { width, height }, drawing ? unlimited : larger(boxes.fullsize, boxes.preview)),
  )
  const pixels = image.resize(Math.ceil(width * scale), Math.ceil(height * scale), { fit: 'fill' })
  const facts = { colorSpace: space }
  return {
    image: await (drawing?.recipe.keepMetadata
      ? settled(pixels.withMetadata({ orientation: 1 }), true)
      : settled(pixels)),
    width,
    height,
    facts,
    ...fullsizeAt(order, { width, height }, density ?? defaultDensity),
  }
}

/** Decoded from memory, so that relative references in the SVG cannot be resolved. */
async function fromSvg(order: Order): Promise<Picture> {
  const { file, boxes, maxPixels } = order
  const bytes = await readFile(file)
  if (bytes.length > maxSvg) throw new Error(`an SVG of ${bytes.length} bytes is too large for previews`)
  const { width, height } = await sharp(bytes, { limitInputPixels: maxPixels }).metadata()
  // Render at the resolution that is needed, whatever size the SVG declares.
  const density = Math.min(2400, Math.max(1, 72 * scaleFor(order, { width, height }, boxes.fullsize)))
  return { image: sharp(bytes, { limitInputPixels: maxPixels, density }), width, height, isVector: true }
}
