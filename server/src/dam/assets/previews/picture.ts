/** The intermediate image that every file type is converted to, and the size of its largest preview. */
import type { Sharp } from 'sharp'
import type { Box, MediaFacts, Order } from './message.ts'

/** An image to make previews from, and the real size of the file. */
export interface Picture {
  /** Absent if there is nothing to see in the file, such as a film without pictures. */
  readonly image?: Sharp
  readonly width?: number
  readonly height?: number
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

export const larger = (a: Box, b: Box): Box => ({
  width: Math.max(a.width, b.width),
  height: Math.max(a.height, b.height),
})

/** Scales an image of this size and density to the resolution that the storage requires, if it requires one. */
export function fullsizeAt({ resolution, boxes }: Order, { width, height }: Box, density: number): { fullsize?: Box } {
  if (resolution === undefined) return {}
  const scaled = (pixels: number, max: number) =>
    Math.max(1, Math.min(max, Math.round((pixels * resolution) / density)))
  const { fullsize } = boxes
  return { fullsize: { width: scaled(width, fullsize.width), height: scaled(height, fullsize.height) } }
}
