/** Scenes inland: mountains, forest and campsite. */
import { backdrop, coats, coloursOf, person, pines, ridge, type Setting, sky } from './landscape.ts'
import { flat, line, mix, oval, solid, times } from './pencil.ts'

const mountains: Setting = (season, random) => {
  const { ground, high } = coloursOf[season]
  const peak = (x: number, y: number, wide: number) => {
    const rock = mix('#5d6b79', high, 0.35)
    return (
      flat(`M${x - wide} 520L${x} ${y}L${x + wide} 520Z`, rock) +
      flat(`M${x} ${y}L${x + wide} 520H${x + wide * 0.2}L${x - 10} ${y + 130}Z`, '#10161c', 'fill-opacity="0.16"') +
      flat(
        `M${x} ${y}l${wide * 0.32} ${(520 - y) * 0.32}l${-wide * 0.16} -16l${-wide * 0.12} 34l${-wide * 0.16} -26l${-wide * 0.22} 26Z`,
        '#fbfdfe',
      )
    )
  }
  const trail = line(`M${random.integer(380, 520)} 720Q620 640 470 590T560 510`, mix(ground, '#8a6f4a', 0.5), 26)
  return (
    sky(season, random) +
    peak(random.integer(140, 260), random.integer(170, 230), 330) +
    peak(random.integer(700, 800), random.integer(150, 210), 360) +
    peak(random.integer(440, 540), random.integer(100, 150), 380) +
    ridge(510, 50, mix(ground, '#3d5a58', 0.35), random) +
    pines(16, 530, 90, season, random) +
    ridge(580, 40, ground, random) +
    trail +
    pines(4, 720, 260, season, random) +
    person(random.integer(480, 540), 650, 125, random.pick(coats))
  )
}

const forest: Setting = (season, random) => {
  const { leaf, ground, low } = coloursOf[season]
  const layer = (count: number, wide: number, shade: number, foot: number) =>
    times(count, () => {
      const x = random.integer(0, 960)
      return flat(
        `M${x - wide * 0.4} 0H${x + wide * 0.4}L${x + wide * 0.6} ${foot}Q${x} ${foot + 14} ${x - wide * 0.6} ${foot}Z`,
        mix('#4e3d30', low, shade),
      )
    })
  const crowns = times(46, () =>
    flat(
      oval(random.integer(0, 960), random.integer(-20, 130), random.integer(50, 100), random.integer(34, 60)),
      mix(leaf, season === 'Winter' ? '#e8eff2' : '#20382a', random.next() * 0.6),
      'fill-opacity="0.85"',
    ),
  )
  const beams = times(4, (i) => flat(`M${120 + i * 240} 0h70l-150 720h-130Z`, '#fffbe0', 'fill-opacity="0.16"'))
  const path = flat(
    `M${random.integer(300, 400)} 720Q520 600 470 500Q520 600 ${random.integer(640, 720)} 720Z`,
    mix(ground, '#9a7a52', 0.55),
  )
  const ferns = times(20, () =>
    line(
      `M${random.integer(0, 960)} ${random.integer(600, 716)}q-10 -40 -36 -46m36 46q0 -44 4 -60m-4 60q12 -40 40 -44`,
      mix(leaf, '#2f5d46', 0.4),
      7,
    ),
  )
  return (
    backdrop(low, mix(leaf, low, 0.6)) +
    layer(18, 20, 0.7, 500) +
    flat('M0 490Q480 460 960 490V720H0Z', mix(ground, low, 0.25)) +
    layer(9, 40, 0.4, 560) +
    path +
    beams +
    ferns +
    layer(3, 92, 0.05, 690) +
    crowns +
    person(random.integer(470, 500), 560, 90, random.pick(coats))
  )
}

const campsite: Setting = (season, random) => {
  const { ground } = coloursOf[season]
  const night = '#16213f'
  const stars = times(70, () =>
    flat(
      oval(random.integer(0, 960), random.integer(0, 380), 2, 2),
      '#ffffff',
      `fill-opacity="${random.integer(4, 9) / 10}"`,
    ),
  )
  const [moon, tent, fire] = [random.integer(120, 840), random.integer(250, 360), random.integer(640, 760)]
  const cloth = random.pick(['#e58b2c', '#c8503a', '#6f9a4a', '#2f8a93'])
  const shelter =
    flat(oval(tent, 600, 300, 40), '#ffd977', 'fill-opacity="0.2"') +
    solid(`M${tent - 210} 606L${tent} 380L${tent + 210} 606Z`, cloth) +
    flat(`M${tent} 430L${tent - 70} 606H${tent + 70}Z`, '#ffe6a0') +
    line(`M${tent} 380V606`, mix(cloth, night, 0.5), 5)
  const glow = `<defs><radialGradient id="glow"><stop offset="0" stop-color="#ffb347" stop-opacity="0.75"/><stop offset="1" stop-color="#ffb347" stop-opacity="0"/></radialGradient></defs>${flat(oval(fire, 600, 220, 150), 'url(#glow)')}`
  const flames =
    flat(`M${fire} 520Q${fire + 56} 590 ${fire + 28} 630H${fire - 28}Q${fire - 56} 590 ${fire} 520Z`, '#f28a2e') +
    flat(`M${fire} 564Q${fire + 26} 600 ${fire + 14} 630H${fire - 14}Q${fire - 26} 600 ${fire} 564Z`, '#ffe08a') +
    line(`M${fire - 60} 640L${fire + 60} 622M${fire + 60} 642L${fire - 60} 622`, '#4e3d30', 16)
  return (
    backdrop(mix('#5b6a9a', coloursOf[season].low, 0.25), night) +
    stars +
    flat(oval(moon, 110, 40, 40), '#fdf6dc') +
    flat(oval(moon + random.integer(10, 24), 102, 36, 36), mix(night, '#5b6a9a', 0.2)) +
    ridge(470, 130, '#26345a', random) +
    pines(22, 540, 200, season, random) +
    flat('M0 540Q480 510 960 540V720H0Z', mix(ground, night, season === 'Winter' ? 0.3 : 0.6)) +
    shelter +
    glow +
    flames +
    person(fire + 100, 660, 130, random.pick(coats))
  )
}

export const inland: Readonly<Record<string, Setting>> = { Mountains: mountains, Forest: forest, Campsite: campsite }
