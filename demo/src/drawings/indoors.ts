/** Indoor scenes: a boatyard and a chart table. */
import { coloursOf, ridge, type Season, type Setting, water } from './landscape.ts'
import {
  box,
  brass,
  cream,
  disc,
  flat,
  hose,
  ink,
  line,
  mix,
  oval,
  rope,
  solid,
  steel,
  times,
  turned,
} from './pencil.ts'
import type { Random } from '../random.ts'

const wood = '#b98f5e'

/** A window with the season outside. */
function view(x: number, season: Season, random: Random): string {
  const { low, high, ground, water: sea } = coloursOf[season]
  const outside =
    flat('M0 0H960V720H0Z', mix(low, high, 0.4)) + ridge(380, 160, ground, random) + water(420, sea, random)
  return (
    `<svg x="${x}" y="70" width="260" height="220" viewBox="200 120 560 474" preserveAspectRatio="none">${outside}</svg>` +
    line(`M${x} 70h260v220h-260ZM${x + 130} 70v220M${x} 180h260`, '#f1ebdd', 14)
  )
}

const boatyard: Setting = (season, random) => {
  const wall = flat('M0 0H960V720H0Z', '#d8c3a0') + times(12, (i) => line(`M${i * 84 + 20} 0V520`, '#bfa67e', 4))
  const [left, first] = random.likely(0.5) ? [60, 400] : [620, 90]
  const tools = [
    (x: number) => line(`M${x} 100V220`, '#8a5a34', 17) + flat(box(x - 46, 90, 92, 36, 6), '#59636b'), // hammer
    (x: number) => flat(`M${x - 14} 90H${x + 30}L${x + 8} 270Z`, steel) + flat(box(x - 22, 66, 58, 44, 12), '#8a5a34'), // saw
    (x: number) => line(`M${x} 130V240`, '#59636b', 13) + line(oval(x, 104, 24, 24), '#59636b', 13), // spanner
    (x: number) => line(`M${x} 160V250`, steel, 9) + flat(box(x - 14, 76, 28, 90, 12), '#c8382b'), // screwdriver
    (x: number) => rope(oval(x, 160, 40, 66), cream, 13, '#a98c5a') + rope(oval(x, 164, 28, 56), cream, 13, '#a98c5a'),
  ]
  const rack = random.sample(tools, 4).map((tool, i) => tool(first + 40 + i * 110)).join('') // prettier-ignore
  const hull = random.pick(['#f4f1e6', '#1f3a5f', '#b5402f', '#1d7a80'])
  const boat =
    solid('M90 340Q480 420 900 320Q860 500 700 520H270Q150 490 90 340Z', hull, 'bar') +
    times(5, (i) =>
      line(
        `M${130 + i * 12} ${386 + i * 28}Q480 ${440 + i * 22} ${876 - i * 26} ${370 + i * 28}`,
        '#10161c',
        3,
        'stroke-opacity="0.25"',
      ),
    ) +
    line('M90 340Q480 420 900 320', wood, 16)
  const trestles = line('M300 510L250 640M330 510L380 640M640 510L590 640M670 510L720 640', '#7d5d3a', 20)
  const bench = solid(box(-20, 636, 1000, 100, 6), wood) + line('M0 668H960M0 700H960', '#94703f', 3)
  const pots = times(
    3,
    (i) =>
      solid(box(90 + i * 96, 560 + i * 6, 70, 76, 8), ['#d64533', '#f2b632', '#57b0c4'][i]!, 'tube') +
      line(`M${92 + i * 96} ${572 + i * 6}h66`, cream, 9),
  )
  return (
    wall +
    view(left, season, random) +
    rack +
    flat('M0 520H960V720H0Z', '#a48c6a') +
    trestles +
    boat +
    bench +
    pots +
    turned(-8, solid(box(560, 596, 200, 42, 10), '#8a5a34') + flat(box(600, 574, 60, 26, 10), '#6d4526'))
  )
}

const chartTable: Setting = (season, random) => {
  const { ground, water: sea } = coloursOf[season]
  const desk =
    flat('M0 0H960V720H0Z', '#8a5f3a') +
    times(9, (i) => line(`M0 ${i * 88 + 30}Q480 ${i * 88 + random.integer(10, 50)} 960 ${i * 88 + 30}`, '#74502f', 4))
  const coast = `M150 120H${random.integer(380, 460)}Q330 240 ${random.integer(400, 470)} 330Q300 420 340 600H150Z`
  const grid = times(5, (i) =>
    line(`M${270 + i * 120} 120V600M150 ${200 + i * 90}H810`, '#6f93a3', 2, 'stroke-opacity="0.6"'),
  )
  const chart = turned(
    random.integer(-9, 9),
    solid('M150 120H810V600H150Z', mix(sea, '#f7f5ee', 0.78)) +
      flat(coast, mix(ground, '#f3e6bd', 0.55)) +
      flat(oval(640, random.integer(220, 480), 56, 38), mix(ground, '#f3e6bd', 0.55)) +
      grid +
      line('M400 560L520 440L600 400L720 220', '#c8382b', 6, 'stroke-dasharray="18 12"'),
  )
  const [x, y] = random.pick([[190, 520], [770, 540], [200, 190]] as const) // prettier-ignore
  const compass =
    disc(x, y, 112, brass) +
    flat(oval(x, y, 92, 92), '#fbf9f1') +
    times(12, (i) => turned(i * 30, line(`M${x} ${y - 86}v14`, ink, 4), x, y)) +
    turned(
      random.integer(0, 359),
      flat(`M${x} ${y - 70}L${x + 16} ${y}H${x - 16}Z`, '#c8382b') +
        flat(`M${x} ${y + 70}L${x + 16} ${y}H${x - 16}Z`, '#59636b'),
      x,
      y,
    )
  const dividers = turned(
    random.integer(-30, 30),
    disc(540, 300, 20, brass) + line('M536 310L490 500M544 310L600 496', steel, 13),
  )
  const mug =
    disc(770, 180, 84, random.pick(['#1f3a5f', '#b5402f', '#f4f1e6', '#1d7a80'])) +
    flat(oval(770, 180, 64, 64), '#3a241a') +
    hose('M846 200Q910 220 880 270Q850 280 830 240', cream, 15)
  const pencil = turned(
    random.integer(-25, 25),
    flat('M330 640H640V662H330Z', '#f2b632') +
      flat('M640 640L684 651L640 662Z', '#e9cfa6') +
      flat('M316 640H336V662H316Z', '#d6776a'),
  )
  return (
    desk +
    chart +
    dividers +
    compass +
    (x === 770 || y === 190 ? '' : mug) +
    pencil +
    flat('M0 0H960V720H0Z', 'url(#soft)', 'fill-opacity="0.5"')
  )
}

export const indoors: Readonly<Record<string, Setting>> = { Boatyard: boatyard, 'Chart table': chartTable }
