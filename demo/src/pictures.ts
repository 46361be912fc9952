/**
 * The demo's pictures, drawn by code: products in the colour of their article, and scenes by the sea.
 *
 * A drawing is an SVG, which painter.ts renders as a JPEG.
 */
import { type Random, createRandom } from './random.ts'
import type { Shape } from './words.ts'

export const width = 960
const height = 720

export interface Drawing {
  readonly seed: number
  readonly shape: Shape | 'scene'
  readonly paint: string
  readonly label: string
}

/** Products have a paper background, scenes a sky. */
export function drawingOf({ seed, shape, paint, label }: Drawing): string {
  const random = createRandom(seed)
  const body = shape === 'scene' ? scene(random) : studio(random) + shapes[shape](paint, darker(paint), random)
  const caption = escape(label)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 720" width="${width}" height="${height}">
    ${body}
    <text x="40" y="684" font-family="DejaVu Sans, Helvetica, sans-serif" font-size="20" fill="${shape === 'scene' ? '#ffffff' : '#33424f'}" fill-opacity="0.75">${caption}</text>
  </svg>`
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function darker(paint: string): string {
  const parts = [1, 3, 5].map((at) => Math.round(Number.parseInt(paint.slice(at, at + 2), 16) * 0.72))
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

/** Grey paper with a soft light from one side and a shadow below the product. */
function studio(random: Random): string {
  const light = random.integer(25, 75)
  return `<defs><radialGradient id="paper" cx="${light}%" cy="35%" r="80%">
      <stop offset="0" stop-color="#ffffff"/><stop offset="1" stop-color="#d8dde2"/></radialGradient></defs>
    <rect width="960" height="720" fill="url(#paper)"/>
    <ellipse cx="480" cy="610" rx="${random.integer(230, 290)}" ry="26" fill="#5c6a76" fill-opacity="0.22"/>`
}

type Draw = (paint: string, shade: string, random: Random) => string

// prettier-ignore
const shapes: Readonly<Record<Shape, Draw>> = {
  jacket: (paint, shade, random) => `
    <path d="M360 150 L290 190 L200 470 L270 495 L330 330 L330 600 L630 600 L630 330 L690 495 L760 470 L670 190 L600 150 Q480 ${random.integer(190, 225)} 360 150Z" fill="${paint}"/>
    <path d="M480 190 V600" stroke="${shade}" stroke-width="8"/><path d="M330 ${random.integer(330, 400)} H630" stroke="#f4f1e6" stroke-width="14" stroke-opacity="0.85"/>
    <path d="M385 165 Q480 ${random.integer(90, 130)} 575 165 Q480 215 385 165Z" fill="${shade}"/><rect x="520" y="450" width="80" height="70" rx="8" fill="none" stroke="${shade}" stroke-width="6"/>`,
  boat: (paint, shade, random) => `
    <path d="M150 480 Q480 ${random.integer(560, 640)} 820 460 L760 540 Q480 640 210 550Z" fill="${paint}"/><path d="M150 480 Q480 560 820 460" stroke="${shade}" stroke-width="10" fill="none"/>
    <path d="M470 470 V130" stroke="#7b6a55" stroke-width="12"/><path d="M485 140 Q680 330 ${random.integer(680, 740)} 440 L485 455Z" fill="#f7f4ea" stroke="${shade}" stroke-width="5"/>
    <path d="M455 190 Q360 340 ${random.integer(285, 330)} 450 L455 460Z" fill="${paint}" fill-opacity="0.85"/>`,
  ring: (paint, shade, random) => `
    <circle cx="480" cy="370" r="185" fill="none" stroke="${paint}" stroke-width="${random.integer(70, 105)}"/>
    <circle cx="480" cy="370" r="185" fill="none" stroke="#f6f6f2" stroke-width="90" stroke-dasharray="120 171" stroke-dashoffset="${random.integer(0, 280)}"/>
    <circle cx="480" cy="370" r="240" fill="none" stroke="${shade}" stroke-width="7"/>`,
  rope: (paint, shade, random) => Array.from({ length: 7 }, (_, i) =>
    `<ellipse cx="480" cy="${250 + i * 48}" rx="${random.integer(200, 245)}" ry="62" fill="none" stroke="${i % 2 ? paint : shade}" stroke-width="34"/>
     <ellipse cx="480" cy="${250 + i * 48}" rx="220" ry="62" fill="none" stroke="#f4efe2" stroke-opacity="0.55" stroke-width="6" stroke-dasharray="14 22"/>`).join(''),
  compass: (paint, shade, random) => `
    <circle cx="480" cy="370" r="230" fill="${shade}"/><circle cx="480" cy="370" r="195" fill="#f8f7f2"/>
    ${Array.from({ length: 36 }, (_, i) => `<path d="M480 190 V${i % 9 ? 208 : 226}" stroke="#33424f" stroke-width="${i % 9 ? 3 : 8}" transform="rotate(${i * 10} 480 370)"/>`).join('')}
    <g transform="rotate(${random.integer(0, 359)} 480 370)"><path d="M480 220 L510 370 L450 370Z" fill="${paint}"/><path d="M480 520 L510 370 L450 370Z" fill="#9aa6b0"/></g><circle cx="480" cy="370" r="16" fill="${shade}"/>`,
  tent: (paint, shade, random) => `
    <path d="M480 180 L${random.integer(160, 210)} 590 H790Z" fill="${paint}"/><path d="M480 180 L790 590 H600Z" fill="${shade}"/>
    <path d="M480 ${random.integer(290, 330)} L400 590 H560Z" fill="#2b333a" fill-opacity="0.78"/><path d="M480 180 V150" stroke="#7b6a55" stroke-width="9"/>`,
  bottle: (paint, shade, random) => `
    <rect x="385" y="${random.integer(230, 260)}" width="190" height="350" rx="46" fill="${paint}"/><rect x="430" y="150" width="100" height="110" rx="18" fill="${shade}"/>
    <rect x="410" y="260" width="26" height="280" rx="13" fill="#ffffff" fill-opacity="0.35"/><path d="M385 430 H575" stroke="#f4f1e6" stroke-width="16"/>`,
  boot: (paint, shade, random) => `
    <path d="M380 150 H540 V420 Q${random.integer(640, 690)} 440 700 560 V600 H370Z" fill="${paint}"/><path d="M360 585 H705 V620 H360Z" fill="${shade}"/>
    <path d="M380 210 H540 M380 255 H540" stroke="#f4f1e6" stroke-width="12"/>`,
  lamp: (paint, shade, random) => `
    <path d="M400 240 H560 L590 540 H370Z" fill="#fdf6dc"/><circle cx="480" cy="400" r="${random.integer(60, 95)}" fill="#ffd977" fill-opacity="0.85"/>
    <rect x="375" y="185" width="210" height="62" rx="12" fill="${paint}"/><rect x="355" y="535" width="250" height="65" rx="12" fill="${shade}"/><path d="M400 190 Q480 60 560 190" fill="none" stroke="${shade}" stroke-width="12"/>`,
  pack: (paint, shade, random) => `
    <rect x="320" y="210" width="320" height="390" rx="${random.integer(30, 70)}" fill="${paint}"/><path d="M320 290 H640" stroke="${shade}" stroke-width="14"/>
    <rect x="370" y="370" width="220" height="150" rx="18" fill="${shade}" fill-opacity="0.8"/><path d="M420 210 Q480 120 540 210" fill="none" stroke="${shade}" stroke-width="16"/>`,
}

/** Sea, hills and the sun, at a random time of day. */
function scene(random: Random): string {
  const skies = [['#f6c28b', '#7d9cc0'], ['#cfe6f5', '#5c93c4'], ['#f2a48c', '#3a4a78'], ['#e8edf0', '#9fb4c4']] // prettier-ignore
  const [low, high] = random.pick(skies)
  const horizon = random.integer(360, 440)
  const hill = (lift: number, paint: string) => {
    const points = Array.from({ length: 9 }, (_, i) => `${i * 120},${horizon - random.integer(10, lift)}`).join(' ')
    return `<polygon points="0,${horizon} ${points} 960,${horizon}" fill="${paint}"/>`
  }
  const waves = Array.from({ length: 26 }, () => {
    const [x, y, length] = [random.integer(0, 900), random.integer(horizon + 12, 700), random.integer(30, 150)]
    return `<path d="M${x} ${y} q${length / 2} -7 ${length} 0" stroke="#ffffff" stroke-opacity="0.4" stroke-width="3" fill="none"/>`
  }).join('')
  const [x, sail] = [random.integer(150, 760), random.pick(['#fbfaf4', '#d64533', '#1f3a5f'])]
  return `<defs><linearGradient id="sky" x1="0" y1="1" x2="0" y2="0"><stop offset="0" stop-color="${low}"/><stop offset="1" stop-color="${high}"/></linearGradient></defs>
    <rect width="960" height="720" fill="url(#sky)"/><circle cx="${random.integer(120, 840)}" cy="${random.integer(90, 260)}" r="52" fill="#fff6dc" fill-opacity="0.9"/>
    ${hill(190, '#51677c')}${hill(90, '#3d5264')}<rect y="${horizon}" width="960" height="${720 - horizon}" fill="#2f6f8f"/>${waves}
    <path d="M${x} ${horizon + 120} q60 34 130 0 l-18 30 h-96Z" fill="#2b333a"/><path d="M${x + 62} ${horizon + 116} V${horizon - 60} L${x + 130} ${horizon + 104}Z" fill="${sail}"/>`
}
