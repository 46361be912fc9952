/**
 * The demo's pictures, drawn by code: products in the colour of their article, and scenes for each group of products.
 *
 * A drawing is an SVG, which painter.ts renders as a JPEG.
 */
import { kinds } from './drawings/kinds.ts'
import { lights, paletteOf } from './drawings/pencil.ts'
import { type Season, settings } from './drawings/settings.ts'
import { createRandom, type Random } from './random.ts'

export const views = ['front', 'back', 'detail'] as const
export type View = (typeof views)[number]

/** Drawings with the same seed show the same product. */
export type Drawing =
  | { readonly seed: number; readonly kind: string; readonly view: View; readonly paint: string }
  | { readonly seed: number; readonly setting: string; readonly season: Season }

export function drawingOf(drawing: Drawing): string {
  const random = createRandom(drawing.seed)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 720" width="960" height="720"><defs>${lights}</defs>${
    'kind' in drawing ? productShot(drawing, random) : scene(drawing, random)
  }</svg>`
}

function productShot({ kind, view, paint }: Extract<Drawing, { kind: string }>, random: Random): string {
  const found = kinds[kind]
  if (!found) throw new Error(`demo: no drawing of ${kind}; add it to demo/src/drawings`)
  const background = studio(view, random)
  const body = found.draw(paletteOf(paint, random), view === 'back', random)
  if (view === 'front') return background + body
  if (view === 'back') return `${background}<g transform="matrix(-1 0 0 1 960 0)">${body}</g>`
  const [x, y] = found.focus
  return `${background}<g transform="translate(480 360) scale(2.3) translate(${-x} ${-y})">${body}</g>`
}

/** About half of the scenes are mirror images, so that scenes of one setting differ more. */
function scene({ setting, season }: Extract<Drawing, { setting: string }>, random: Random): string {
  const found = settings[setting]
  if (!found) throw new Error(`demo: no drawing of ${setting}; add it to demo/src/drawings`)
  const mirror = random.likely(0.5) ? '-1 0 0 1 960 0' : '1 0 0 1 0 0'
  return `<g transform="matrix(${mirror})">${found(season, random)}</g>`
}

/**
 * A studio of plain paper: a wall, a floor, and a shadow below the product unless it is a detail. The gradient is
 * vertical, because others of this size take as long to render as the product.
 */
function studio(view: View, random: Random): string {
  const [wall, floor] = random.pick([['#d9dfe5', '#c9d0d6'], ['#e2dfd9', '#d0cbc3'], ['#d8e2e1', '#c6d0cf']] as const) // prettier-ignore
  const edge = random.integer(76, 82) / 100
  const shadow = `<ellipse cx="480" cy="628" rx="${random.integer(270, 320)}" ry="32" fill="url(#ground)"/>`
  return `<defs><linearGradient id="paper" x2="0" y2="1"><stop offset="0" stop-color="${wall}"/><stop offset="0.55" stop-color="#fbfbfa"/><stop offset="${edge}" stop-color="#ffffff"/><stop offset="1" stop-color="${floor}"/></linearGradient>
    <radialGradient id="ground"><stop offset="0" stop-color="#39444d" stop-opacity="0.5"/><stop offset="1" stop-color="#39444d" stop-opacity="0"/></radialGradient></defs>
    <rect width="960" height="720" fill="url(#paper)"/>${view === 'detail' ? '' : shadow}`
}
