/** The parts of outdoor scenes: skies, ridges, trees and water in the colours of a season. */
import { flat, line, mix, oval, times } from './pencil.ts'
import type { Random } from '../random.ts'

export type Season = 'Spring' | 'Summer' | 'Autumn' | 'Winter'
export type Setting = (season: Season, random: Random) => string

interface Colours {
  /** The sky at the horizon and at the top. */
  readonly low: string
  readonly high: string
  readonly leaf: string
  readonly ground: string
  readonly water: string
}

// prettier-ignore
export const coloursOf: Readonly<Record<Season, Colours>> = {
  Spring: { low: '#fbe6d6', high: '#8fc1e3', leaf: '#7fae5e', ground: '#a5c97f', water: '#5aa5ba' },
  Summer: { low: '#dff1fb', high: '#4492d2', leaf: '#3c7a48', ground: '#82b157', water: '#2b85ab' },
  Autumn: { low: '#f8c68e', high: '#6f84b4', leaf: '#c8702d', ground: '#b89a55', water: '#41697f' },
  Winter: { low: '#f4efee', high: '#9db4ca', leaf: '#56706b', ground: '#eef3f6', water: '#5b8298' },
}

/** A background with a gradient from `low` at the bottom to `high` at the top. */
export const backdrop = (low: string, high: string) =>
  `<defs><linearGradient id="sky" x1="0" y1="1" x2="0" y2="0"><stop offset="0.25" stop-color="${low}"/><stop offset="1" stop-color="${high}"/></linearGradient></defs>
  <rect width="960" height="720" fill="url(#sky)"/>`

export function sky(season: Season, random: Random): string {
  const { low, high } = coloursOf[season]
  const clouds = times(random.integer(2, 4), () => {
    const [x, y, w] = [random.integer(40, 860), random.integer(50, 210), random.integer(60, 130)]
    return flat(oval(x, y, w, 15) + oval(x + w / 4, y - 15, w / 2, 18), '#ffffff', 'fill-opacity="0.55"')
  })
  const sun = flat(oval(random.integer(120, 840), random.integer(90, 240), 46, 46), '#fff6dc', 'fill-opacity="0.9"')
  return backdrop(low, high) + sun + clouds
}

/** Hills up to `lift` above `y`, filled down to the bottom. */
export const ridge = (y: number, lift: number, paint: string, random: Random) =>
  flat(
    `M0 720V${y}${times(9, (i) => `Q${i * 120 - 40} ${y - random.integer(lift >> 1, lift)} ${i * 120 + 40} ${y - random.integer(0, lift)}`)}L960 ${y}V720Z`,
    paint,
  )

export function pine(x: number, y: number, height: number, season: Season): string {
  const green = mix(season === 'Winter' ? '#3d5a58' : '#2f5d46', coloursOf[season].leaf, 0.25)
  const tier = (at: number, wide: number, paint: string, deep: number) =>
    flat(`M${x} ${y - height * at}L${x + height * wide} ${y - height * (at - deep)}H${x - height * wide}Z`, paint)
  const snow = (at: number) => (season === 'Winter' ? tier(at, 0.09, '#f4f8fa', 0.16) : '')
  return line(`M${x} ${y}v${-height * 0.2}`, '#5b4635', height * 0.05) + [[0.7, 0.24], [0.85, 0.19], [1, 0.13]].map(([at, wide]) => tier(at!, wide!, green, at === 1 ? 0.4 : 0.56) + snow(at!)).join('') // prettier-ignore
}

export const pines = (count: number, y: number, tallest: number, season: Season, random: Random) =>
  times(count, () =>
    pine(random.integer(0, 960), y + random.integer(-6, 14), random.integer(tallest >> 1, tallest), season),
  )

/** Water from `y` down, with ripples that grow towards the viewer. */
export function water(y: number, paint: string, random: Random): string {
  const ripples = times(30, () => {
    const at = random.integer(y + 8, 712)
    const length = 20 + (at - y) * 0.4
    return line(
      `M${random.integer(-40, 940)} ${at}q${length / 2} -6 ${length} 0`,
      '#ffffff',
      3,
      'stroke-opacity="0.35"',
    )
  })
  return (
    flat(`M0 ${y}H960V720H0Z`, paint) + flat(`M0 ${y}H960V${y + 60}H0Z`, '#ffffff', 'fill-opacity="0.14"') + ripples
  )
}

/** The colours of people's coats. */
export const coats = ['#d64533', '#f2b632', '#1f3a5f', '#1d7a80'] as const
export const person = (x: number, y: number, height: number, coat: string) => {
  const h = height / 100
  return `<g transform="translate(${x} ${y}) scale(${h})">${line('M-8 0L-4 -44M10 0L5 -44', '#2b333a', 11) + line('M0 -46V-72', coat, 26) + line('M-10 -74L-18 -46M10 -74L22 -52', coat, 8) + flat(oval(0, -94, 10, 11), '#d9a982') + flat('M-11 -96Q0 -114 11 -96Z', '#c0392b')}</g>`
}

/** A sailing boat seen from the side; its hull is 130 wide. */
export const sailingBoat = (x: number, y: number, scale: number, sail: string, hull: string) =>
  `<g transform="translate(${x} ${y}) scale(${scale})">${line('M62 0V-180', '#6d5b48', 5) + flat('M68 -174Q120 -70 134 -14L68 -10Z', sail) + flat('M56 -150Q20 -60 4 -14L56 -10Z', '#f6f3ea') + flat('M0 0Q66 14 136 -4L116 30H24Z', hull)}</g>`
