/**
 * How a picture looks: its dominant colours, and a perceptual hash by which pictures that look alike are found.
 *
 * Colours are counted by the names of a small palette, so that people can filter by them. The hash is the sign of the 64
 * lowest frequencies (DCT) of the grey picture: resizing, compressing or correcting a picture changes few of its bits.
 */
import { palette } from '@kontor/contract'
import sharp from 'sharp'
import type { Look } from './message.ts'

export interface Pixels {
  readonly data: Buffer
  readonly width: number
  readonly height: number
  readonly channels: 1 | 2 | 3 | 4
}

const colourSide = 64
const most = 5
/** Colours of a smaller part of the picture are left out. */
const leastShare = 0.05

export async function lookOf({ data, width, height, channels }: Pixels): Promise<Look> {
  const image = sharp(data, { raw: { width, height, channels } }).flatten({ background: '#ffffff' })
  const scaled = (side: number) => image.clone().resize({ width: side, height: side, fit: 'fill' })
  const coloured = await scaled(colourSide).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  const grey = await scaled(greySide).grayscale().toColourspace('b-w').raw().toBuffer()
  const hash = hashOf(grey)
  return { colours: coloursOf(coloured.data, coloured.info.channels), ...(hash !== undefined && { hash }) }
}

// Colours

type Triple = readonly [number, number, number]

function coloursOf(pixels: Buffer, channels: number): Look['colours'] {
  const sums = names.map(() => ({ count: 0, red: 0, green: 0, blue: 0 }))
  const total = pixels.length / channels
  for (let at = 0; at < pixels.length; at += channels) {
    const red = pixels[at]!
    const [green, blue] = channels < 3 ? [red, red] : [pixels[at + 1]!, pixels[at + 2]!]
    const sum = sums[nearest([red, green, blue])]!
    sum.count++
    sum.red += red
    sum.green += green
    sum.blue += blue
  }
  return sums
    .map((sum, i) => ({ ...sum, name: names[i]! }))
    .filter(({ count }) => count >= total * leastShare)
    .sort((a, b) => b.count - a.count)
    .slice(0, most)
    .map(({ name, count, red, green, blue }) => ({ name, hex: hexOf([red / count, green / count, blue / count]) }))
}

const hexOf = (rgb: Triple) => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

/** The position of the nearest colour of the palette, as people see distances (CIE Lab). */
function nearest(rgb: Triple): number {
  const [lightness, a, b] = labOf(rgb)
  let [found, least] = [0, Infinity]
  for (let i = 0; i < labs.length; i++) {
    const [otherLightness, otherA, otherB] = labs[i]!
    const distance = (lightness - otherLightness) ** 2 + (a - otherA) ** 2 + (b - otherB) ** 2
    if (distance < least) [found, least] = [i, distance]
  }
  return found
}

const linear = (part: number) => (part > 10.31475 ? ((part / 255 + 0.055) / 1.055) ** 2.4 : part / 255 / 12.92)
const curved = (part: number) => (part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116)

/** From sRGB, with daylight (D65) as white. */
function labOf(rgb: Triple): Triple {
  const [red, green, blue] = rgb.map(linear) as unknown as Triple
  const x = curved((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047)
  const y = curved(0.2126 * red + 0.7152 * green + 0.0722 * blue)
  const z = curved((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

const names = Object.keys(palette) as (keyof typeof palette)[]
const labs = Object.values(palette).map((hex) => {
  const value = Number.parseInt(hex.slice(1), 16)
  return labOf([value >> 16, (value >> 8) & 0xff, value & 0xff])
})

// The perceptual hash

const greySide = 32
const frequencies = 8
/** Below this, a picture has no structure that could be compared, such as a plain background. */
const leastStructure = 2000

const cosines = Array.from({ length: frequencies }, (_, u) =>
  Array.from({ length: greySide }, (_, x) => Math.cos(((2 * x + 1) * u * Math.PI) / (2 * greySide))),
)

/** 16 hexadecimal digits; undefined for a picture without structure. */
function hashOf(grey: Buffer): string | undefined {
  const values: number[] = []
  for (let v = 0; v < frequencies; v++) {
    for (let u = 0; u < frequencies; u++) {
      let sum = 0
      for (let y = 0; y < greySide; y++)
        for (let x = 0; x < greySide; x++) sum += grey[y * greySide + x]! * cosines[u]![x]! * cosines[v]![y]!
      values.push(sum)
    }
  }
  // The first value is the mean brightness, which says nothing about the content.
  values[0] = 0
  if (Math.max(...values.map(Math.abs)) < leastStructure) return undefined
  const median = values.toSorted((a, b) => a - b)[values.length / 2]!
  const bits = values.map((value) => (value > median ? '1' : '0')).join('')
  return BigInt(`0b${bits}`).toString(16).padStart(16, '0')
}
