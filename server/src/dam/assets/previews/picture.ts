/** The intermediate image that every file type is converted to, and the size of its largest preview. */
import { maxRenditionPixels } from '@kontor/contract'
import sharp, { type Sharp } from 'sharp'
import type { Box, MediaFacts, Order } from './message.ts'

/** An image to make previews from, and the real size of the file. */
export interface Picture {
  /** Absent if there is nothing to see in the file, such as a film without pictures. */
  readonly image?: Sharp
  readonly width?: number
  readonly height?: number
  /** Drawn from lines, so its size in the file says nothing about how large a rendition can be. */
  readonly isVector?: true
  /** Dots per inch and the name of the colour space, from the file. */
  readonly facts?: { readonly resolution?: string; readonly colorSpace?: string }
  /** The box of the largest preview, if a resolution limits it. */
  readonly fullsize?: Box
  readonly media?: MediaFacts
  /** The waveform of a sound, in percent. */
  readonly peaks?: readonly number[]
  /** The pages after the first one. */
  readonly pages?: AsyncIterable<Sharp>
}

/** Ends a pipeline, because the library orders its steps itself. Pixels alone carry no metadata; a PNG does. */
export async function settled(image: Sharp, keepMetadata = false): Promise<Sharp> {
  if (keepMetadata) return sharp(await image.keepExif().keepXmp().png({ compressionLevel: 0 }).toBuffer())
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return sharp(data, { raw: { width, height, channels } })
}

export const larger = (a: Box, b: Box): Box => ({
  width: Math.max(a.width, b.width),
  height: Math.max(a.height, b.height),
})

/**
 * By how much a picture of this size is scaled when it is read: into the box of the largest preview, or so that a rendition
 * need not enlarge it. A rendition that is cut or stretched to its size needs enough pixels for both of its sides.
 */
export function scaleFor({ drawing }: Order, { width, height }: Box, box: Box): number {
  const { width: across = Infinity, height: down = Infinity, fit } = drawing?.recipe ?? {}
  const inside = (limit: Box) => Math.min(limit.width / width, limit.height / height)
  if (across === Infinity && down === Infinity) return inside(box)
  const scale =
    fit === 'cover' || fit === 'fill'
      ? Math.max(across / width, down / height)
      : inside({ width: across, height: down })
  return Math.min(scale, Math.sqrt(maxRenditionPixels / (width * height)))
}

/** Scales an image of this size and density to the resolution that the storage requires, if it requires one. */
export function fullsizeAt({ resolution, boxes }: Order, { width, height }: Box, density: number): { fullsize?: Box } {
  if (resolution === undefined) return {}
  const scaled = (pixels: number, max: number) =>
    Math.max(1, Math.min(max, Math.round((pixels * resolution) / density)))
  const { fullsize } = boxes
  return { fullsize: { width: scaled(width, fullsize.width), height: scaled(height, fullsize.height) } }
}
