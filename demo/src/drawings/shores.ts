/** Scenes at the water: on board, harbour, lighthouse and lake. */
import { coats, coloursOf, person, pine, ridge, sailingBoat, type Setting, sky, water } from './landscape.ts'
import { box, cream, flat, ink, line, mix, oval, solid, times, turned } from './pencil.ts'

const onBoard: Setting = (season, random) => {
  const heel = random.pick([-9, -7, 7, 9])
  const sea =
    flat('M-200 400H1200V1000H-200Z', coloursOf[season].water) +
    times(16, () =>
      line(
        `M${random.integer(-40, 900)} ${random.integer(410, 620)}q40 -14 80 0`,
        '#ffffff',
        4,
        'stroke-opacity="0.45"',
      ),
    )
  const planks = times(9, (i) => line(`M${240 + i * 60} 720L${440 + i * 10} 470`, '#8f6d45', 3))
  const foredeck =
    solid('M100 720Q250 520 480 440Q710 520 860 720Z', '#c79f6b') +
    planks +
    line('M100 720Q250 520 480 440Q710 520 860 720', '#f7f5ee', 14)
  const rail = line(
    'M120 640Q260 470 480 384Q700 470 840 640M200 590V680M330 480V560M480 384V446M630 480V560M760 590V680',
    '#d5dce1',
    7,
  )
  const side = heel > 0 ? 1 : -1
  const rig =
    line('M480 640V-60', '#e6e2d8', 24) +
    solid(`M${480 + side * 14} -60Q${480 + side * 330} 240 ${480 + side * 380} 520L${480 + side * 14} 540Z`, cream) +
    line(`M480 540L${480 + side * 390} 522`, '#8a8f94', 14) +
    line(`M480 -40L${480 - side * 20} 440`, '#8a8f94', 4)
  return (
    sky(season, random) +
    ridge(420, 40, mix(coloursOf[season].high, '#3d5264', 0.6), random) +
    turned(heel, sea) +
    turned(-heel / 3, foredeck + rail + rig + person(480 - side * 150, 640, 210, random.pick(coats)))
  )
}

const harbour: Setting = (season, random) => {
  const { water: sea, ground } = coloursOf[season]
  const snow = season === 'Winter'
  const houses = times(9, (i) => {
    const [x, height] = [i * 112 - 24, random.integer(130, 200)]
    const wall = random.pick(['#b5402f', '#e0b04c', '#e9e3d3', '#4f7a94', '#7a9a6c', '#c77a4a'])
    const windows = times(
      4,
      (n) =>
        flat(box(x + 20 + (n % 2) * 44, 440 - height + 24 + (n >> 1) * 54, 24, 32, 2), '#f6e9b8') +
        line(`M${x + 32 + (n % 2) * 44} ${440 - height + 24 + (n >> 1) * 54}v32`, '#ffffff', 3),
    )
    return (
      flat(`M${x} 440v${-height}h108v${height}Z`, wall) +
      flat(
        `M${x - 6} ${440 - height}L${x + 54} ${380 - height}L${x + 114} ${440 - height}Z`,
        snow ? '#f1f5f7' : '#4a4442',
      ) +
      windows
    )
  })
  const boats = times(4, (i) =>
    sailingBoat(
      40 + i * 230 + random.integer(-20, 20),
      520 + random.integer(0, 40),
      random.integer(9, 12) / 10,
      random.pick(['#d8d4c8', '#c0392b', '#1f3a5f']),
      random.pick(['#f4f1e6', '#1f3a5f', '#b5402f']),
    ),
  )
  const bollard =
    solid('M700 720L712 640Q690 620 716 600H784Q810 620 788 640L800 720Z', ink) +
    line('M716 640Q600 690 420 650', '#d9c49a', 12)
  return (
    sky(season, random) +
    ridge(430, 200, mix(ground, '#4b6455', 0.5), random) +
    houses +
    flat('M0 436H960V462H0Z', '#8b8379') +
    water(460, sea, random) +
    boats +
    flat('M0 690H960V720H0Z', '#7b7268') +
    bollard
  )
}

const lighthouse: Setting = (season, random) => {
  const { water: sea, ground } = coloursOf[season]
  const x = random.integer(480, 760)
  const tower = `M${x - 52} 470L${x - 36} 150H${x + 36}L${x + 52} 470Z`
  const stripes = times(3, (i) =>
    flat(
      `M${x - 49 + i * 5} ${420 - i * 100}L${x - 46 + i * 5} ${370 - i * 100}H${x + 46 - i * 5}L${x + 49 - i * 5} ${420 - i * 100}Z`,
      '#c8382b',
    ),
  )
  const head =
    solid(box(x - 50, 134, 100, 20, 6), ink) +
    flat(box(x - 28, 86, 56, 50, 4), '#ffe9a3') +
    line(`M${x} 88v46`, ink, 5) +
    flat(`M${x - 38} 88L${x} 46L${x + 38} 88Z`, '#c8382b')
  const beam = flat(
    `M${x} 110L-40 ${random.integer(20, 80)}V${random.integer(180, 240)}Z`,
    '#fff6d0',
    'fill-opacity="0.4"',
  )
  const rocks =
    flat(
      `M${x - 330} 720L${x - 230} 560L${x - 160} 500L${x - 70} 464H${x + 90}L${x + 190} 540L${x + 320} 720Z`,
      '#5d5a58',
    ) +
    flat(`M${x - 160} 500L${x - 70} 464H${x + 90}L${x + 150} 510L${x} 486Z`, ground) +
    flat(`M${x - 230} 560L${x - 120} 640L${x - 200} 720H${x - 330}Z`, '#45464a')
  const surf = times(6, (i) =>
    line(`M${x - 360 + i * 30} ${700 - i * 26}q40 -40 70 0q30 -30 50 6`, '#ffffff', 9, 'stroke-opacity="0.8"'),
  )
  const gulls = times(5, () =>
    line(`M${random.integer(60, 520)} ${random.integer(120, 330)}q14 -16 26 0q12 -16 26 0`, ink, 4),
  )
  return (
    sky(season, random) +
    beam +
    water(430, sea, random) +
    sailingBoat(random.integer(60, 200), 450, 0.5, '#f7f5ee', ink) +
    surf +
    rocks +
    solid(tower, '#f7f5ee', 'tube') +
    stripes +
    head +
    gulls
  )
}

const lake: Setting = (season, random) => {
  const { water: calm, ground, leaf, low } = coloursOf[season]
  const shore = times(26, (i) => ({ x: i * 39 - 10, height: random.integer(70, 150), round: random.likely(0.4) })
    .round ? flat(oval(i * 39 - 10, 372, 34, random.integer(40, 62)), mix(leaf, ground, random.next() * 0.5)) : pine(i * 39 - 10, 404, random.integer(100, 170), season)) // prettier-ignore
  const reflection = `<g transform="matrix(1 0 0 -0.8 0 728)" opacity="0.35">${shore}</g>`
  const hull = random.pick(['#d64533', '#f2b632', '#1d7a80'])
  const kayak = `<g transform="translate(${random.integer(90, 420)} ${random.integer(500, 560)})">${flat('M0 0Q130 46 300 -4Q260 34 150 38Q50 38 0 0Z', hull) + person(150, 12, 96, '#1f3a5f') + line('M60 -70L240 20', '#2b333a', 6) + line('M52 -74L76 -62M226 12L250 26', hull, 17) + flat('M100 8Q150 22 206 4L204 24H104Z', hull)}</g>`
  const jetty =
    flat('M960 560L640 720H960Z', '#a98a63') +
    times(8, (i) => line(`M${930 - i * 38} ${576 + i * 19}L960 ${592 + i * 30}`, '#7d6344', 4)) +
    line('M900 580V640M760 650V716', '#6a533a', 18)
  return (
    sky(season, random) +
    ridge(380, 170, mix(coloursOf[season].high, '#4f6b70', 0.5), random) +
    shore +
    flat('M0 400H960V720H0Z', mix(calm, low, 0.3)) +
    reflection +
    times(12, () =>
      line(
        `M${random.integer(0, 800)} ${random.integer(430, 700)}h${random.integer(40, 140)}`,
        '#ffffff',
        3,
        'stroke-opacity="0.3"',
      ),
    ) +
    kayak +
    jetty
  )
}

export const shores: Readonly<Record<string, Setting>> = {
  'On board': onBoard,
  Harbour: harbour,
  Lighthouse: lighthouse,
  Lake: lake,
}
