/** Life jackets, harnesses, life rings and first-aid kits. */
import {
  box,
  cream,
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
  stitches,
  times,
  turned,
} from './pencil.ts'

const lifeJackets: Kind = {
  focus: [480, 470],
  draw({ main, dark, deep, light, trim }, back, random) {
    const collar = 'M480 92Q596 96 612 210Q618 250 604 300'
    const lobe = solid(
      'M348 232Q340 330 316 400Q300 520 340 590Q400 624 462 590Q470 480 456 380Q420 320 410 232Z',
      main,
    )
    const shoulders = hose(`${collar}M480 92Q364 96 348 210Q342 250 356 300`, main, 84)
    const tapes = line('M326 500Q390 516 462 500', cream, 22) + line('M352 270L420 284', cream, 16)
    const belt =
      solid(box(296, 424, 368, 38, 8), ink) + solid(box(430, 412, 100, 62, 10), trim) + line('M452 443H508', ink, 8)
    const whistle = line('M420 330Q430 380 412 396', ink, 4) + solid(box(398, 388, 18, 44, 8), '#f2b632')
    const zip = line('M480 330V590', deep, 6)
    if (back) {
      return (
        hose('M440 130Q440 80 480 80Q520 80 520 130', ink, 14) +
        solid(
          'M356 210Q350 330 322 400Q300 520 340 590Q480 630 620 590Q660 520 638 400Q610 330 604 210Q560 124 480 120Q400 124 356 210Z',
          main,
        ) +
        line('M352 290Q480 330 608 290M322 520Q480 556 638 520', cream, 22) +
        line('M400 160L430 420M560 160L530 420', dark, 8) +
        solid(box(306, 424, 348, 38, 8), ink) +
        solid(box(412, 190, 136, 50, 8), dark)
      )
    }
    return (
      mirrored(lobe + tapes) +
      shoulders +
      zip +
      belt +
      (random.likely(0.5) ? whistle : disc(404, 350, 20, light)) +
      stitches('M372 560Q400 570 440 562', deep)
    )
  },
}

const harnesses: Kind = {
  focus: [480, 420],
  draw({ main, dark, light, trim }, back, random) {
    const web = (d: string) => line(d, dark, 40) + line(d, main, 34) + stitches(d, light)
    const straps = back
      ? web('M330 400L560 150Q590 120 610 170L640 400') +
        web('M630 400L400 150Q370 120 350 170L320 400') +
        solid(box(440, 246, 80, 60, 10), dark)
      : web('M400 410L350 190Q350 120 420 130') +
        web('M560 410L610 190Q610 120 540 130') +
        web('M420 130Q480 160 540 130') +
        line('M372 280H588', dark, 22)
    const belt = web('M270 420Q480 450 690 420')
    const ring = (x: number) => hose(oval(x, 432, 34, 42), steel, 13)
    const front = solid(box(600, 396, 76, 66, 10), trim) + ring(436) + ring(524)
    const tether =
      rope(`M480 474Q${random.integer(420, 540)} 540 390 580`, trim, 22, cream) +
      turned(40, hose(box(330, 560, 50, 84, 24), steel, 12), 355, 602)
    return straps + belt + (back ? '' : front + tether)
  },
}

const lifeRings: Kind = {
  focus: [600, 240],
  draw({ main, dark, light }, back, random) {
    const second = main === '#eceff1' ? '#d64533' : '#f6f6f2'
    const start = random.integer(20, 60)
    const round = oval(480, 356, 190, 190)
    const band = (i: number) =>
      turned(start + i * 90, flat('M446 118H514Q524 168 514 216H446Q436 168 446 118Z', second), 480, 356)
    const lineAround = times(4, (i) =>
      turned(start + i * 90, rope('M480 112Q700 90 724 356', cream, 11, '#c0a676'), 480, 356),
    )
    return (
      lineAround +
      line(round, dark, 116) +
      line(round, main, 110) +
      times(4, band) +
      line(oval(480, 356, 222, 222), '#10161c', 20, 'stroke-opacity="0.14"') +
      line(oval(480, 356, 160, 160), '#ffffff', 18, 'stroke-opacity="0.3"') +
      (back
        ? flat(box(420, 520, 120, 44, 8), light)
        : times(6, (i) => flat(box(376 + i * 36, 528 + Math.abs(i - 2.5) * -6, 20, 32, 3), i % 2 ? dark : ink)))
    )
  },
}

const firstAid: Kind = {
  focus: [480, 370],
  draw({ main, dark, deep, light }, back, random) {
    const cross = main === '#eceff1' ? '#d64533' : '#ffffff'
    const r = random.integer(34, 60)
    const handle = hose('M400 200V150Q400 124 430 124H530Q560 124 560 150V200', dark, 26)
    const body =
      solid(box(226, 188, 508, 410, r), main) +
      line('M226 290H734', deep, 10) +
      line('M226 290H734', light, 3, 'stroke-dasharray="7 6"')
    const plus =
      disc(480, 440, 118, main === '#eceff1' ? '#ffffff' : dark, 'soft') +
      flat('M446 352H514V406H568V474H514V528H446V474H392V406H446Z', cross)
    const straps =
      line('M320 192V594M640 192V594', deep, 34) +
      solid(box(294, 380, 52, 60, 8), ink) +
      solid(box(614, 380, 52, 60, 8), ink)
    return handle + body + (back ? straps : plus + disc(690, 290, 14, steel))
  },
}

export const safety: Readonly<Record<string, Kind>> = { LifeJackets: lifeJackets, Harnesses: harnesses, LifeRings: lifeRings, FirstAid: firstAid } // prettier-ignore
