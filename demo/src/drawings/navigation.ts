/** Compasses, binoculars, chart plotters and clocks. */
import {
  box,
  brass,
  disc,
  flat,
  hose,
  ink,
  type Kind,
  line,
  mirrored,
  oval,
  rope,
  solid,
  steel,
  times,
  turned,
} from './pencil.ts'

const compasses: Kind = {
  focus: [480, 300],
  draw({ main, dark, deep, light, trim }, back, random) {
    const lanyard = rope('M480 130Q360 20 250 110Q170 200 230 330', trim, 15, ink)
    const body = disc(480, 380, 238, main) + solid(box(436, 116, 88, 60, 18), dark, 'tube')
    const grip = times(24, (i) => turned(i * 15, line('M480 146V166', deep, 9), 480, 380))
    const dial = disc(480, 380, 188, '#14181c') + flat(oval(480, 380, 172, 172), '#f8f7f2')
    const marks = times(36, (i) => turned(i * 10, line(`M480 216V${i % 9 ? 230 : 250}`, ink, i % 9 ? 3 : 9), 480, 380))
    const needle = turned(
      random.integer(-70, 70),
      solid('M480 240L514 380H446Z', '#d64533') + solid('M480 520L514 380H446Z', '#8d99a4'),
      480,
      380,
    )
    const glass = flat('M340 300Q400 210 520 214Q400 260 366 400Q340 360 340 300Z', '#ffffff', 'fill-opacity="0.5"')
    if (back)
      return (
        lanyard +
        body +
        grip +
        disc(480, 380, 176, dark, 'soft') +
        times(4, (i) => turned(45 + i * 90, disc(480, 236, 14, steel), 480, 380)) +
        line('M420 380H540', light, 9)
      )
    return lanyard + body + grip + dial + marks + needle + disc(480, 380, 16, brass) + glass
  },
}

const binoculars: Kind = {
  focus: [330, 520],
  draw({ main, dark, deep, trim }, back, random) {
    const strap = line('M330 190Q240 70 480 60Q720 70 630 190', ink, 18)
    const lens = back
      ? solid(oval(330, 566, 104, 48), dark, 'ball')
      : solid(oval(330, 566, 104, 48), '#14181c', 'ball') +
        solid(oval(330, 568, 84, 36), random.pick(['#5d3f7a', '#2d5f7a', '#7a4a2d']), 'ball') +
        flat('M280 560Q310 540 340 546Q306 556 296 578Z', '#ffffff', 'fill-opacity="0.5"')
    const barrel =
      solid(box(352, 120, 92, 70, 16), '#14181c', 'tube') +
      solid('M344 180H452L458 300Q452 330 440 360L436 566H226L232 420Q250 330 330 290Z', main, 'tube') +
      flat('M230 452H437L436 500H228Z', dark) +
      line('M344 240H452', deep, 8) +
      lens
    const bridge =
      solid(box(420, 250, 120, 150, 20), dark, 'tube') +
      solid(box(450, 214, 60, 76, 12), '#14181c', 'tube') +
      line(
        times(5, (i) => `M${458 + i * 11} 222V282`),
        '#4a4f57',
        4,
      )
    return strap + bridge + mirrored(barrel) + disc(480, 350, 20, trim)
  },
}

const plotters: Kind = {
  focus: [380, 320],
  draw({ main, dark, deep, light, trim }, back, random) {
    const foot = solid('M400 540H560L610 618H350Z', '#14181c') + mirrored(disc(180, 350, 30, ink))
    const shell = solid(box(190, 130, 580, 420, 36), main)
    if (back) {
      const fins = line(
        times(12, (i) => `M${280 + i * 36} 190V330`),
        deep,
        12,
      )
      return (
        foot + shell + fins + times(4, (i) => disc(340 + i * 94, 440, 32, steel) + disc(340 + i * 94, 440, 18, ink))
      )
    }
    const coast = `M240 180H${random.integer(420, 500)}Q380 260 430 320Q360 370 300 470H240Z`
    const chart =
      flat(box(240, 178, 400, 318, 8), '#bfe0ee') +
      flat(coast, '#eadfae') +
      flat(`M560 ${random.integer(210, 260)}q50 -30 70 20q-20 50 -66 34Z`, '#eadfae') +
      line('M470 200Q420 270 470 330Q400 390 360 480', '#7fb6d1', 5) +
      line('M400 470L470 400L520 330L590 300', '#d64533', 7, 'stroke-dasharray="16 12"') +
      turned(50, flat('M520 306L538 352L520 342L502 352Z', ink), 520, 330)
    const keys = times(4, (i) => disc(704, 220 + i * 66, 24, i === 0 ? trim : light)) + disc(704, 490, 30, '#14181c')
    return foot + shell + flat(box(226, 164, 428, 346, 14), '#14181c') + chart + keys + line('M230 148H560', dark, 5)
  },
}

const clocks: Kind = {
  focus: [480, 280],
  draw({ main, dark, light }, back, random) {
    const [hour, minute] = [random.integer(0, 11), random.integer(0, 11)]
    const flange =
      disc(480, 360, 262, brass) +
      times(6, (i) => turned(i * 60 + 30, disc(480, 120, 13, '#8d6d2c') + line('M472 120H488', '#5d471a', 4), 480, 360))
    if (back)
      return (
        flange +
        disc(480, 360, 210, dark, 'soft') +
        solid(box(410, 300, 140, 120, 12), ink) +
        hose(oval(480, 220, 26, 18), steel, 9)
      )
    const face =
      disc(480, 360, 214, '#8d6d2c') +
      flat(oval(480, 360, 196, 196), '#fbf9f1') +
      line(oval(480, 360, 150, 150), main, 10)
    const hours = times(12, (i) =>
      turned(i * 30, flat(box(472, 178, 16, i % 3 ? 30 : 48, 3), i % 3 ? ink : main), 480, 360),
    )
    const minutes = times(60, (i) => turned(i * 6, line('M480 172V178', ink, 3), 480, 360))
    const hands =
      turned((hour + minute / 12) * 30, flat('M468 380L474 262L480 246L486 262L492 380Z', ink), 480, 360) +
      turned(minute * 30, flat('M471 390L476 210L480 192L484 210L489 390Z', ink), 480, 360) +
      turned(random.integer(0, 359), line('M480 400V206', '#d64533', 4), 480, 360)
    const hinge = solid(box(726, 320, 36, 80, 8), '#a9853c', 'tube')
    return (
      flange +
      hinge +
      face +
      hours +
      minutes +
      hands +
      disc(480, 360, 15, brass) +
      flat('M330 290Q380 200 480 190Q390 240 360 360Q334 330 330 290Z', light, 'fill-opacity="0.22"')
    )
  },
}

export const navigation: Readonly<Record<string, Kind>> = { Compasses: compasses, Binoculars: binoculars, Plotters: plotters, Clocks: clocks } // prettier-ignore
