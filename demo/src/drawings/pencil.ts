/** The means of all drawings: colours, lights and simple shapes on a canvas of 960 × 720. */
import type { Random } from '../random.ts'

/** The colours of one product, derived from the paint of its article. */
export interface Palette {
  readonly main: string
  readonly light: string
  readonly dark: string
  readonly deep: string
  /** A second colour for trims, which differs between models. */
  readonly trim: string
  /** Readable on the main colour. */
  readonly mark: string
}

export interface Kind {
  /** Draws the product around the middle of the canvas, from the front, or from the back as if seen through it: back views are mirrored. */
  draw(palette: Palette, back: boolean, random: Random): string
  /** The middle of the detail view. */
  readonly focus: readonly [x: number, y: number]
}

export const steel = '#b4bec6'
export const ink = '#2b333a'
export const cream = '#f4f1e6'
export const brass = '#c9a04e'

const channels = (paint: string) => [1, 3, 5].map((at) => Number.parseInt(paint.slice(at, at + 2), 16))

export function mix(paint: string, other: string, share: number): string {
  const others = channels(other)
  const mixed = channels(paint).map((value, i) => Math.round(value + (others[i]! - value) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

const isLight = (paint: string) => channels(paint).reduce((sum, value) => sum + value) > 540

export const paletteOf = (main: string, random: Random): Palette => ({
  main,
  mark: isLight(main) ? '#3d4a54' : cream,
  light: mix(main, '#ffffff', 0.35),
  dark: mix(main, '#10161c', 0.3),
  deep: mix(main, '#10161c', 0.62),
  trim: random.pick([isLight(main) ? '#1f3a5f' : cream, '#f2b632', '#e4573d', '#57b0c4', '#8d99a4']),
})

/** `soft` is for cloth, `tube` for upright cylinders, `bar` for lying ones, `ball` for round things. */
export type Light = 'soft' | 'tube' | 'bar' | 'ball'
const stop = (offset: number, paint: string, opacity: number) =>
  `<stop offset="${offset}" stop-color="${paint}" stop-opacity="${opacity}"/>`
const cylinder = stop(0, '#000', 0.28) + stop(0.3, '#fff', 0.32) + stop(0.55, '#fff', 0) + stop(1, '#000', 0.36)
export const lights = `
  <linearGradient id="soft" x2="1" y2="1">${stop(0, '#fff', 0.22)}${stop(0.5, '#fff', 0)}${stop(1, '#000', 0.24)}</linearGradient>
  <linearGradient id="tube">${cylinder}</linearGradient>
  <linearGradient id="bar" x2="0" y2="1">${cylinder}</linearGradient>
  <radialGradient id="ball" cx="0.36" cy="0.3" r="0.8">${stop(0, '#fff', 0.42)}${stop(0.5, '#fff', 0)}${stop(1, '#000', 0.34)}</radialGradient>`

export const flat = (d: string, fill: string, more = '') => `<path d="${d}" fill="${fill}" ${more}/>`
/** A surface with shading and a thin outline, so that white products stay visible on white paper. */
export const solid = (d: string, fill: string, light: Light = 'soft') =>
  flat(d, fill) + flat(d, `url(#${light})`, 'stroke="#10161c" stroke-opacity="0.3" stroke-width="3"')
export const line = (d: string, stroke: string, width: number, more = '') =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`
export const stitches = (d: string, stroke: string) => line(d, stroke, 3, 'stroke-dasharray="9 8"')
/** A thick line with a light along its middle: hoses, webbing, bent metal. */
export const hose = (d: string, paint: string, width: number) =>
  line(d, mix(paint, '#10161c', 0.45), width + 5) +
  line(d, paint, width) +
  line(d, '#ffffff', width * 0.28, 'stroke-opacity="0.28"')
/** A line with the pattern of a laid rope. */
export const rope = (d: string, paint: string, width: number, fleck: string) =>
  line(d, mix(paint, '#10161c', 0.5), width + 4) +
  line(d, paint, width) +
  `<path d="${d}" fill="none" stroke="${fleck}" stroke-width="${width * 0.55}" stroke-dasharray="${width * 0.35} ${width * 0.9}" stroke-opacity="0.8"/>`

export const oval = (x: number, y: number, rx: number, ry: number) =>
  `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${rx * 2} 0a${rx} ${ry} 0 1 0 ${-rx * 2} 0Z`
export const disc = (x: number, y: number, r: number, fill: string, light: Light = 'ball') =>
  solid(oval(x, y, r, r), fill, light)
/** A rectangle with round corners. */
export const box = (x: number, y: number, w: number, h: number, r: number) =>
  `M${x + r} ${y}h${w - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${h - 2 * r}a${r} ${r} 0 0 1 ${-r} ${r}h${2 * r - w}a${r} ${r} 0 0 1 ${-r} ${-r}v${2 * r - h}a${r} ${r} 0 0 1 ${r} ${-r}Z`

export const turned = (degrees: number, body: string, x = 480, y = 360) =>
  `<g transform="rotate(${degrees} ${x} ${y})">${body}</g>`
export const moved = (x: number, y: number, body: string, scale = 1) =>
  `<g transform="translate(${x} ${y}) scale(${scale})">${body}</g>`
/** The left half of something symmetric, and its reflection on the right. */
export const mirrored = (body: string) => `${body}<g transform="matrix(-1 0 0 1 960 0)">${body}</g>`
export const times = (count: number, body: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => body(i)).join('')
