/** What every kind of file becomes before it has previews, and how large the largest of them is. */
import type { Sharp } from 'sharp'
import type { Box, Order } from './message.ts'

/** A picture to make previews from, and how large the file really is. */
export interface Picture {
  readonly image: Sharp
  readonly width?: number
  readonly height?: number
  /** Dots per inch and the name of the colour space, as the file says. */
  readonly facts?: { readonly resolution?: string; readonly colorSpace?: string }
  /** The largest preview, where a resolution bounds it. */
  readonly fullsize?: Box
  /** The pages after the first. */
  readonly pages?: AsyncIterable<Sharp>
}

export const larger = (a: Box, b: Box): Box => ({
  width: Math.max(a.width, b.width),
  height: Math.max(a.height, b.height),
})

/** A picture of this size and density, brought down to the resolution that the storage asks for, if it asks for one. */
export function fullsizeAt({ resolution, boxes }: Order, { width, height }: Box, density: number): { fullsize?: Box } {
  if (resolution === undefined) return {}
  const scaled = (pixels: number, most: number) =>
    Math.max(1, Math.min(most, Math.round((pixels * resolution) / density)))
  const { fullsize } = boxes
  return { fullsize: { width: scaled(width, fullsize.width), height: scaled(height, fullsize.height) } }
}
