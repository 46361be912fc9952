/**
 * Makes the previews of one file: whatever it is, it becomes one picture, and that the three previews.
 *
 *   image        decoded once, as small as the largest preview allows; the smaller ones come from that
 *   PDF          its first page
 *   film, sound  a frame, or the shape of the sound, if ffmpeg is there
 *   Office       as PDF, if LibreOffice is there
 *
 * Previews carry no metadata of their file.
 */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import sharp, { type Sharp } from 'sharp'
import { readEmbedded } from './embedded.ts'
import type { Box, Made, MadePreview, Order } from './message.ts'

sharp.concurrency(1)
sharp.cache(false)

const run = promisify(execFile)
const maxSvg = 5 * 1024 * 1024

/** A picture to make previews from, and how large the file really is. */
interface Picture {
  readonly image: Sharp
  readonly width?: number
  readonly height?: number
  /** Dots per inch and the name of the colour space, as the file says. */
  readonly facts?: { readonly resolution?: string; readonly colorSpace?: string }
}
type Converter = (order: Order) => Promise<Picture | undefined>

/** Media type, or its first part, -> converter. What is not here has no previews. */
// prettier-ignore
const converters: ReadonlyMap<string, Converter> = new Map([
  ...['jpeg', 'png', 'gif', 'webp', 'avif', 'tiff'].map((kind): [string, Converter] => [`image/${kind}`, fromImage]),
  ['image/heic', fromImage],
  ['image/svg+xml', fromSvg],
  ['application/pdf', ({ file, boxes }) => fromPdf(file, boxes.fullsize)],
  ['application/illustrator', ({ file, boxes }) => fromPdf(file, boxes.fullsize)],
  ['video', fromVideo],
  ['audio', fromAudio],
  ['application/msword', fromOffice],
  ['application/vnd', fromOffice],
])

export async function render(order: Order): Promise<Made> {
  const { number, mime } = order
  const convert =
    converters.get(mime) ??
    converters.get(
      mime
        .split(/[/.]/)
        .slice(0, mime.startsWith('application/vnd') ? 2 : 1)
        .join('/'),
    )
  const embedded = await readEmbedded(order.file, mime)
  const picture = await convert?.(order)
  if (!picture) return { number, embedded, previews: [] }
  const { width, height, facts } = picture
  const previews = await makePreviews(picture.image, order)
  return { number, embedded: { ...embedded, ...facts }, previews, ...(width && height && { width, height }) }
}

async function makePreviews(image: Sharp, { boxes, folder }: Order): Promise<MadePreview[]> {
  const fit = ({ width, height }: Box) => ({ width, height, fit: 'inside', withoutEnlargement: true }) as const
  const { data, info } = await image
    .autoOrient()
    .resize(fit(boxes.fullsize))
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const [kind, mime] =
    channels === 4 || channels === 2 ? (['webp', 'image/webp'] as const) : (['jpeg', 'image/jpeg'] as const)
  const previews: MadePreview[] = []
  let raw = { data, width, height, channels }
  for (const format of ['fullsize', 'preview', 'thumbnail'] as const) {
    const source = sharp(raw.data, { raw: { width: raw.width, height: raw.height, channels: raw.channels } })
    const smaller = source.resize(fit(boxes[format]))
    if (format === 'preview') {
      const { data, info } = await smaller.clone().raw().toBuffer({ resolveWithObject: true })
      raw = { data, width: info.width, height: info.height, channels: info.channels }
    }
    const file = join(folder, format)
    const made = await (format === 'fullsize' ? source : smaller).toFormat(kind, { quality: 80 }).toFile(file)
    previews.push({ format, file, mime, width: made.width, height: made.height })
  }
  return previews
}

async function fromImage({ file, maxPixels }: Order): Promise<Picture> {
  const image = sharp(file, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 })
  const { autoOrient, density, space } = await image.metadata()
  const facts = { colorSpace: space, ...(density !== undefined && { resolution: String(density) }) }
  return { image, width: autoOrient.width, height: autoOrient.height, facts }
}

/** From memory, so that nothing it refers to by a relative path can be found. */
async function fromSvg({ file, boxes, maxPixels }: Order): Promise<Picture> {
  const bytes = await readFile(file)
  if (bytes.length > maxSvg) throw new Error(`an SVG of ${bytes.length} bytes is too large for previews`)
  const { width, height } = await sharp(bytes, { limitInputPixels: maxPixels }).metadata()
  // As fine as the largest preview needs, whatever size it gives itself.
  const scale = Math.min(boxes.fullsize.width / width, boxes.fullsize.height / height)
  const density = Math.min(2400, Math.max(1, 72 * scale))
  return { image: sharp(bytes, { limitInputPixels: maxPixels, density }), width, height }
}

async function fromPdf(file: string, { width, height }: Box): Promise<Picture> {
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(await readFile(file))
    const page = document.getPage(0)
    const { originalWidth, originalHeight } = page.getOriginalSize()
    const scale = Math.min(width / originalWidth, height / originalHeight)
    if (!(scale > 0) || !Number.isFinite(scale)) throw new Error('the first page has no size')
    const made = await page.render({ scale, render: 'bitmap' })
    const size = { width: made.width, height: made.height }
    document.destroy()
    const raw = { ...size, channels: 4 } as const
    const image = sharp(Buffer.from(made.data), { raw }).flatten({ background: '#fff' })
    return { image, width: Math.round(originalWidth), height: Math.round(originalHeight) }
  } finally {
    library.destroy()
  }
}

const ffmpegOptions = ['-nostdin', '-v', 'error', '-protocol_whitelist', 'file', '-threads', '1']

async function fromVideo({ file, folder, tools, maxPixels }: Order): Promise<Picture | undefined> {
  if (!tools.ffmpeg) return undefined
  const frame = join(folder, 'frame.png')
  await run(tools.ffmpeg, [...ffmpegOptions, '-ss', '1', '-i', `file:${file}`, '-frames:v', '1', frame]).catch(() =>
    run(tools.ffmpeg!, [...ffmpegOptions, '-i', `file:${file}`, '-frames:v', '1', frame]),
  )
  const image = sharp(frame, { limitInputPixels: maxPixels })
  const { width, height } = await image.metadata()
  return { image, width, height }
}

async function fromAudio({ file, folder, tools }: Order): Promise<Picture | undefined> {
  if (!tools.ffmpeg) return undefined
  const wave = join(folder, 'wave.png')
  const filter = 'showwavespic=s=1280x640:colors=#334155'
  await run(tools.ffmpeg, [...ffmpegOptions, '-i', `file:${file}`, '-filter_complex', filter, '-frames:v', '1', wave])
  return { image: sharp(wave).flatten({ background: '#fff' }) }
}

async function fromOffice({ file, name, folder, tools, boxes }: Order): Promise<Picture | undefined> {
  if (!tools.soffice) return undefined
  const source = join(folder, `source${extname(name)}`)
  await writeFile(source, await readFile(file))
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  await run(tools.soffice, ['--headless', '--norestore', profile, '--convert-to', 'pdf', '--outdir', folder, source])
  return fromPdf(join(folder, `${basename(source, extname(source))}.pdf`), boxes.fullsize)
}
