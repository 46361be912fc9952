/** How a rendition is made: the parameters of callers and profiles, checked, and as one text that identifies the result. */
import { createHash } from 'node:crypto'
import {
  type Infer,
  maxFilmSecond,
  maxRenditionPixels,
  maxRenditionSide,
  type RenditionParameters,
  type RenditionProfileChange,
} from '@kontor/contract'
import { Problem } from '../../errors.ts'

export type Parameters = Infer<typeof RenditionParameters>
export type ProfileSettings = Infer<typeof RenditionProfileChange>

/** A point of the picture, from 0 to 1, from its left and its top. */
export type Point = readonly [x: number, y: number]

/** Everything that decides about the bytes of a rendition, besides the file. */
/** Metadata is written when a rendition is sent, so it is no part of the recipe: values and rights are those of then. */
export interface Recipe extends Omit<Parameters, 'crop' | 'metadata' | 'removeLocation'> {
  readonly crop?: 'centre' | 'attention' | Point
  /** SHA-256 of the colour profile. */
  readonly icc?: string
  readonly watermark?: Watermark & { readonly sha256: string; readonly mime: string }
  /** For IIIF: a part of the picture, turned and in fewer colours. */
  readonly region?: Region
  readonly rotation?: 90 | 180 | 270
  readonly mirror?: true
  readonly bitonal?: true
}
interface Watermark {
  readonly position: string
  readonly percent: number
  readonly opacity: number
}
export interface Region {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

const ranges = {
  width: [1, maxRenditionSide],
  height: [1, maxRenditionSide],
  quality: [1, 100],
  dpi: [1, 2400],
  watermarkPercent: [1, 100],
  watermarkOpacity: [1, 100],
  days: [1, 3660],
  t: [0, maxFilmSecond],
} as const

/** The parameters that a free rendition may have. */
const keys = [
  'width',
  'height',
  'fit',
  'crop',
  'enlarge',
  'format',
  'quality',
  'colourSpace',
  'dpi',
  'background',
  'keepMetadata',
  't',
  'metadata',
  'removeLocation',
] as const satisfies (keyof Parameters)[]

/** Those of the sent fields that are parameters. */
export const parametersIn = (sent: Parameters): Parameters =>
  Object.fromEntries(keys.flatMap((key) => (sent[key] === undefined ? [] : [[key, sent[key]]]))) as Parameters

const flags: ReadonlySet<keyof Parameters> = new Set(['enlarge', 'keepMetadata', 'removeLocation'])

/** The parameters of a query, whose words and ranges the contract has checked. */
export function parametersOf(query: Readonly<Record<string, string | undefined>>): Parameters {
  const read = (key: keyof Parameters, text: string) => {
    if (key === 't') return secondOf(text) ?? NaN
    return flags.has(key) ? text === 'true' : key in ranges ? Number(text) : text
  }
  const sent = keys.flatMap((key): [string, unknown][] =>
    query[key] === undefined ? [] : [[key, read(key, query[key])]],
  )
  return Object.fromEntries(sent) as Parameters
}

export const queryOf = (parameters: Parameters): [string, string][] =>
  keys.flatMap((key): [string, string][] => (parameters[key] === undefined ? [] : [[key, String(parameters[key])]]))

/** Throws if a number is out of range or parameters contradict each other. `at` says where they were sent. */
export function checkParameters(sent: Parameters & { [K in keyof typeof ranges]?: number | undefined }, at = ''): void {
  for (const [key, [min, max]] of Object.entries(ranges)) {
    const value = sent[key as keyof typeof ranges]
    if (value !== undefined && !(value >= min && value <= max))
      throw new Problem('invalid', `${at}${key}: expected ${min} to ${max}, found ${value}`)
  }
  const {
    width,
    height,
    fit = 'inside',
    format = 'jpeg',
    colourSpace,
    background,
    metadata,
    keepMetadata,
    removeLocation,
  } = sent
  if (background !== undefined && !/^#[0-9a-fA-F]{6}$/.test(background))
    throw new Problem('invalid', `${at}background: expected a colour such as #ffffff`)
  if (fit !== 'inside' && (width === undefined || height === undefined))
    throw new Problem('invalid', `${at}fit: ${fit} needs both width and height`)
  if ((width ?? 1) * (height ?? 1) > maxRenditionPixels)
    throw new Problem('invalid', `${at}width and height: ${maxRenditionPixels} pixels are the most`)
  if (removeLocation && keepMetadata && format === 'avif')
    throw new Problem(
      'invalid',
      `${at}removeLocation: coordinates cannot be taken out of avif files; leave out keepMetadata`,
    )
  if (metadata !== undefined && format === 'avif')
    throw new Problem('invalid', `${at}metadata: avif files cannot carry it; choose jpeg, png, webp or tiff`)
  if (colourSpace === 'cmyk' && format !== 'jpeg' && format !== 'tiff')
    throw new Problem('invalid', `${at}colourSpace: cmyk needs the format jpeg or tiff, not ${format}`)
}

/** The focal point in the meta of a file, as `0.5,0.25`. */
export function pointOf(text: string | undefined): Point | undefined {
  if (text === undefined || !/^(0(\.\d{1,6})?|1(\.0{1,6})?),(0(\.\d{1,6})?|1(\.0{1,6})?)$/.test(text)) return undefined
  const [x = 0, y = 0] = text.split(',').map(Number)
  return [x, y]
}

/** The second of a film in its meta, as `12.5`. */
export const secondOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,5}(\.\d{1,3})?$/.test(text) && Number(text) <= maxFilmSecond ? Number(text) : undefined

/** Changes when the same recipe would be drawn differently. */
const generation = 2

/** The same for recipes that give the same picture. */
export function recipeKey(recipe: Recipe): string {
  const { format = 'jpeg', fit = 'inside', quality, crop, enlarge, keepMetadata, colourSpace, ...rest } = recipe
  const said = {
    ...rest,
    format,
    fit,
    ...(format !== 'png' && format !== 'tiff' && { quality: quality ?? defaultQuality }),
    ...(fit === 'cover' && { crop: crop ?? 'centre' }),
    ...(enlarge && { enlarge }),
    ...(keepMetadata && { keepMetadata }),
    ...(colourSpace !== 'srgb' && { colourSpace }),
  }
  const text = JSON.stringify(said, Object.keys(said).concat(inner).toSorted())
  return createHash('sha256').update(`${generation} ${text}`).digest('base64url')
}
/** The names of fields inside fields; `JSON.stringify` writes only names that it is given. */
const inner = ['sha256', 'mime', 'position', 'percent', 'opacity', 'left', 'top']
export const defaultQuality = 80

export const mimes = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  tiff: 'image/tiff',
} as const
export const extensions = { jpeg: 'jpg', png: 'png', webp: 'webp', avif: 'avif', tiff: 'tif' } as const
