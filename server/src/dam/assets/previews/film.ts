/**
 * Films and sounds, read with ffmpeg: facts, a still, the waveform, and a copy that browsers play.
 *
 * Files are hostile: a playlist could name files of the server or addresses on the network. So ffmpeg gets no choice: the
 * media type of the file decides which format it reads, no other format may be opened from within, and no protocol but
 * that of files.
 */
import { createReadStream, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Box, Copying, Made, MediaFacts, Order } from './message.ts'
import type { Picture } from './picture.ts'
import { runTool } from './tools.ts'

/** The format of ffmpeg for each media type. Other types are not opened. */
const demuxers: ReadonlyMap<string, string> = new Map([
  ['video/mp4', 'mov'],
  ['video/quicktime', 'mov'],
  ['audio/mp4', 'mov'],
  ['video/webm', 'matroska'],
  ['video/x-msvideo', 'avi'],
  ['video/x-ms-wmv', 'asf'],
  ['video/mpeg', 'mpeg'],
  ['audio/wav', 'wav'],
  ['audio/aiff', 'aiff'],
  ['audio/mpeg', 'mp3'],
  ['audio/flac', 'flac'],
  ['audio/ogg', 'ogg'],
])
const maxStreams = 100
/** Seconds of sound that the waveform shows. */
const maxWave = 4 * 3600

/** Options for reading a file; ffprobe has the same. */
function reading({ mime, maxPixels }: Order, input: string): string[] {
  const format = demuxers.get(mime)
  if (format === undefined) throw new Error(`${mime} is not read as a film or a sound`)
  const limits = ['-probesize', '32M', '-analyzeduration', '10M', '-max_streams', String(maxStreams)]
  const only = ['-protocol_whitelist', 'file', '-format_whitelist', format, '-f', format]
  return [...limits, ...only, '-max_pixels', String(maxPixels), '-i', `file:${input}`]
}

const words = (text: string) => text.split(' ')

interface Ffmpeg {
  /** Before the input, such as the second to begin at. */
  readonly before?: readonly string[]
  readonly output: readonly string[]
  readonly threads?: number
}
const ffmpeg = (order: Order, { before = [], output, threads = 1 }: Ffmpeg) =>
  runTool(order, order.tools.ffmpeg!, (input) => [
    ...words(`-nostdin -v error -threads ${threads}`),
    ...before,
    ...reading(order, input),
    ...output,
  ])

// Facts

interface Probed {
  readonly streams?: readonly Readonly<Record<string, unknown>>[]
  readonly format?: Readonly<Record<string, unknown>>
}
const entries = [
  'format=duration,bit_rate',
  'format_tags=title,artist,album_artist',
  'stream=codec_type,codec_name,pix_fmt,width,height,avg_frame_rate,channels,sample_rate',
  'stream_tags=title,artist,rotate',
  'stream_disposition=attached_pic',
  'stream_side_data=rotation',
]

/** Undefined without ffprobe. */
async function probe(order: Order): Promise<MediaFacts | undefined> {
  const { ffprobe } = order.tools
  if (ffprobe === undefined) return undefined
  const output = ['-show_entries', entries.join(':'), '-of', 'json']
  const text = await runTool(order, ffprobe, (input) => ['-v', 'error', ...output, ...reading(order, input)])
  return factsOf(JSON.parse(text) as Probed)
}

/** A file may claim any number, so only plausible ones are kept. */
const within = (value: unknown, max: number, digits = 0) => {
  const number = Number(value)
  if (!(number > 0) || number > max) return undefined
  return Math.round(number * 10 ** digits) / 10 ** digits
}
const [maxSeconds, maxBits] = [30 * 86_400, 10 ** 10]

function factsOf({ streams = [], format = {} }: Probed): MediaFacts {
  const isCover = (stream: Probed['format']) => (stream?.disposition as { attached_pic?: number })?.attached_pic === 1
  const video = streams.find((stream) => stream.codec_type === 'video' && !isCover(stream))
  const audio = streams.find((stream) => stream.codec_type === 'audio')
  const tags = { ...(audio?.tags as object), ...(format.tags as object) } as Record<string, unknown>
  const facts: Record<keyof MediaFacts, string | number | undefined> = {
    duration: within(format.duration, maxSeconds, 3),
    bitRate: within(format.bit_rate, maxBits),
    videoCodec: wordOf(video?.codec_name),
    pixelFormat: wordOf(video?.pix_fmt),
    frameRate: rateOf(video?.avg_frame_rate),
    rotation: rotationOf(video),
    audioCodec: wordOf(audio?.codec_name),
    channels: within(audio?.channels, 1000),
    sampleRate: within(audio?.sample_rate, 10 ** 7),
    title: textOf(tags.title),
    artist: textOf(tags.artist ?? tags.album_artist),
  }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
}

const wordOf = (value: unknown) => (typeof value === 'string' && /^[\w-]{1,40}$/.test(value) ? value : undefined)
/** Characters that messages cannot contain. */
// oxlint-disable-next-line no-control-regex
const unencodable = /[\u0000-\u001f\u007f\ufffe\uffff]/g
const textOf = (value: unknown) =>
  typeof value === 'string'
    ? value.toWellFormed().replaceAll(unencodable, ' ').trim().slice(0, 500) || undefined
    : undefined

/** `30000/1001` */
function rateOf(value: unknown): number | undefined {
  const [count, seconds = 1] = typeof value === 'string' ? value.split('/').map(Number) : []
  return within((count ?? 0) / seconds, 10_000, 3)
}

/** Degrees clockwise: 90, 180 or 270. */
function rotationOf(video: Probed['format']): number | undefined {
  const [first] = (video?.side_data_list ?? []) as { rotation?: number }[]
  const degrees = ((Math.round(-(first?.rotation ?? 0)) % 360) + 360) % 360
  return degrees % 90 === 0 && degrees > 0 ? degrees : undefined
}

// Pictures

/** A still of the film at the second that was asked for, otherwise one that shows much. */
export async function fromVideo(order: Order): Promise<Picture | undefined> {
  const { folder, tools, maxPixels, second } = order
  if (!tools.ffmpeg) return undefined
  const media = await probe(order)
  if (media && media.videoCodec === undefined) return media.audioCodec === undefined ? { media } : fromAudio(order)
  const frame = join(folder, 'frame.png')
  const still = ['-map', '0:V:0', '-frames:v', '1', '-pix_fmt', 'rgb24', '-compression_level', '1', frame]
  if (second !== undefined) await ffmpeg(order, { before: ['-ss', String(second)], output: still })
  else {
    // Many films begin black, so the start is left out. Of ten frames the one that is most like the others is taken.
    const start = Math.min(1, (media?.duration ?? 10) / 10)
    const choose = ['-vf', String.raw`select=not(mod(n\,10)),thumbnail=10`]
    await ffmpeg(order, { before: ['-ss', String(start)], output: [...choose, ...still] }).catch(() => {})
    if (!existsSync(frame)) await ffmpeg(order, { output: still })
  }
  if (!existsSync(frame))
    throw new Error(`the film has no picture at ${second} s${media?.duration ? `; it lasts ${media.duration} s` : ''}`)
  const image = sharp(frame, { limitInputPixels: maxPixels })
  const { width, height } = await image.metadata()
  return { image, width, height, ...(media && { media }) }
}

const bars = 800
const wave: Box = { width: 1600, height: 400 }

/** The waveform. */
export async function fromAudio(order: Order): Promise<Picture | undefined> {
  if (!order.tools.ffmpeg) return undefined
  const media = await probe(order)
  const raw = join(order.folder, 'sound.raw')
  const output = ['-map', '0:a:0', '-ac', '1', '-ar', '8000', '-t', String(maxWave), '-f', 's16le', raw]
  await ffmpeg(order, { output })
  const peaks = await peaksOf(raw)
  const svg = peaks.map((peak, i) => {
    const height = Math.max(2, (peak * wave.height) / 100)
    return `<rect x="${i * 2}" y="${(wave.height - height) / 2}" width="1.5" height="${height}"/>`
  })
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${wave.width}" height="${wave.height}" fill="#334155"><rect width="100%" height="100%" fill="#fff"/>${svg.join('')}</svg>`
  return { image: sharp(Buffer.from(drawing)), peaks, ...(media && { media }) }
}

/** The loudest sample of each of 800 equal parts, in percent of the loudest that there can be. */
async function peaksOf(file: string): Promise<number[]> {
  const samples: Int16Array[] = []
  let count = 0
  // The parts are known only at the end, so the peaks of short blocks are kept.
  const block = 80
  for await (const piece of createReadStream(file, { highWaterMark: block * 2 * 4096 }) as AsyncIterable<Buffer>) {
    const peaks = new Int16Array(Math.ceil(piece.length / 2 / block))
    for (let at = 0; at + 1 < piece.length; at += 2) {
      const index = Math.floor(at / 2 / block)
      peaks[index] = Math.max(peaks[index]!, Math.min(32_767, Math.abs(piece.readInt16LE(at))))
    }
    samples.push(peaks)
    count += peaks.length
  }
  const parts = Array.from({ length: Math.min(bars, count) }, () => 0)
  let at = 0
  for (const peaks of samples)
    for (const peak of peaks) {
      const part = Math.floor((at++ * parts.length) / count)
      parts[part] = Math.max(parts[part]!, peak)
    }
  return parts.map((peak) => Math.round((peak * 100) / 32_767))
}

// Copies that browsers play

/** The short and the long side of a copy of a film. */
const [shortSide, longSide] = [720, 1280]
const frameRate = 30

/** H.264 and AAC in MP4, which all browsers play, with the index first, so that it plays before it has been loaded. */
export async function copy(order: Order, limits: Copying, onProgress: (percent: number) => void): Promise<Made> {
  const { number, folder } = order
  setPriority(10) // nobody waits for a copy as for a request
  const media = await probe(order)
  if (!media || !order.tools.ffmpeg) throw new Error('ffmpeg and ffprobe are not installed on the server')
  const { duration = limits.maxSeconds, videoCodec, audioCodec } = media
  if (duration > limits.maxSeconds) throw new Error(`it is longer than ${limits.maxSeconds / 3600} hours`)
  if (videoCodec === undefined && audioCodec === undefined) throw new Error('the file has neither film nor sound')
  const [file, progress] = [join(folder, 'copy.mp4'), join(folder, 'progress')]
  const output = [
    ...(videoCodec === undefined ? ['-vn'] : filmOptions(media)),
    ...(audioCodec === undefined ? ['-an'] : ['-map', '0:a:0', '-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-ar', '48000']), // prettier-ignore
    ...words(`-sn -dn -map_metadata -1 -map_chapters -1 -t ${limits.maxSeconds} -fs ${limits.maxBytes}`),
    ...words('-movflags +faststart -f mp4 -progress'),
    `file:${progress}`,
    file,
  ]
  const timer = setInterval(() => {
    void readFile(progress, 'utf8').then(
      (text) => onProgress(percentOf(text, duration)),
      () => {}, // not begun yet
    )
  }, 500)
  try {
    await ffmpeg(order, { output, threads: 2 })
  } finally {
    clearInterval(timer)
  }
  const made = await probe({ ...order, file, mime: 'video/mp4' })
  if ((made?.duration ?? 0) < Math.min(duration, media.duration ?? 0) * 0.9)
    throw new Error(`the copy would have more than ${limits.maxBytes} bytes, or the file is damaged`)
  const mime = videoCodec === undefined ? 'audio/mp4' : 'video/mp4'
  return { number, embedded: {}, previews: [], drawn: { file, mime, width: 0, height: 0 } }
}

function filmOptions({ frameRate: rate = frameRate }: MediaFacts): string[] {
  // The longer side decides which of the two limits it has.
  const side = (own: string, isLonger: string) => `min(${own}\\,if(${isLonger}\\,${longSide}\\,${shortSide}))`
  const [width, height] = [side('iw', String.raw`gte(iw\,ih)`), side('ih', String.raw`gt(ih\,iw)`)]
  const fit = `scale=w=${width}:h=${height}:force_original_aspect_ratio=decrease:force_divisible_by=2` // prettier-ignore
  const filters = [fit, ...(rate > frameRate ? [`fps=${frameRate}`] : []), 'format=yuv420p']
  return [
    ...words(`-map 0:V:0 -vf ${filters.join(',')} -c:v libx264 -preset veryfast -profile:v high`),
    ...words('-crf 25 -maxrate 3M -bufsize 6M -g 60'),
  ]
}

function percentOf(text: string, duration: number): number {
  const micros = Number(
    text
      .match(/out_time_us=(\d+)/g)
      ?.at(-1)
      ?.slice('out_time_us='.length) ?? 0,
  )
  return Math.max(0, Math.min(99, Math.floor(micros / 10_000 / duration)))
}
