/** Ropes, blocks, shackles, anchors and fenders. */
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
  mix,
  oval,
  rope,
  solid,
  steel,
  times,
  turned,
} from './pencil.ts'

const ropes: Kind = {
  focus: [480, 250],
  draw({ main, light, dark, trim }, back, random) {
    const loops = times(7, (i) =>
      rope(
        oval(480 + random.integer(-10, 10), 400, 96 + i * 18, 196 + random.integer(-12, 12)),
        i % 2 ? main : mix(main, dark, 0.3),
        22,
        trim,
      ),
    )
    const wrap = times(6, (i) =>
      rope(`M${392 + i} ${208 + i * 20}Q480 ${236 + i * 20} ${568 - i} ${208 + i * 20}`, main, 22, trim),
    )
    const eye = rope('M470 210Q400 96 480 90Q560 96 490 210', main, 22, trim)
    const tail = rope('M560 300Q680 480 640 620', main, 22, trim) + line('M642 600L638 624', ink, 26)
    const tag = turned(12, solid(box(420, 340, 120, 76, 8), cream) + line('M440 366H520M440 388H496', light, 7))
    return back ? loops + eye + tail : eye + loops + wrap + tail + tag
  },
}

const blocks: Kind = {
  focus: [480, 400],
  draw({ main, dark, deep, trim }, back, random) {
    const becket = hose('M440 190V150Q440 96 480 96Q520 96 520 150V190', steel, 22)
    const lines =
      rope('M352 400Q352 560 330 640', cream, 26, trim) +
      rope('M608 400Q608 560 640 640', cream, 26, trim) +
      line('M352 400A128 128 0 0 1 608 400', cream, 30)
    const cheek =
      'M480 170Q560 176 590 270Q640 330 630 410Q610 536 480 540Q350 536 330 410Q320 330 370 270Q400 176 480 170Z'
    const holes = times(random.integer(5, 7), (i) => turned(i * 60 + 20, flat(oval(480, 320, 17, 17), deep), 480, 400))
    const sheave =
      disc(480, 400, 114, back ? dark : '#20262c', 'ball') + line(oval(480, 400, 114, 114), steel, 7) + holes
    return (
      lines +
      becket +
      solid(cheek, main) +
      (back ? line('M410 260H550', trim, 12) : sheave) +
      disc(480, 400, 34, steel) +
      disc(480, 400, 12, ink) +
      disc(480, 230, 20, steel)
    )
  },
}

const shackles: Kind = {
  focus: [470, 260],
  draw({ main, dark, trim }, back, random) {
    const jaw = hose('M376 410V230Q380 110 480 106Q580 110 584 230V330', steel, 44)
    const body = solid(
      'M330 372H622Q640 372 640 392V430Q640 450 622 450H330Q312 450 312 430V392Q312 372 330 372Z',
      steel,
      'bar',
    )
    const hinge = disc(376, 410, 30, '#98a4ad') + disc(376, 410, 12, ink)
    const swivel =
      solid(box(444, 446, 72, 40, 8), '#98a4ad', 'tube') +
      hose('M430 560V520Q432 484 480 484Q528 484 530 520V560Q528 616 480 618Q432 616 430 560Z', steel, 26)
    const pin = solid(box(600, 388, 74, 46, 20), main, 'bar') + line(oval(706, 411, 32, 32), '#98a4ad', 9)
    const pull = rope(`M728 430Q790 480 ${random.integer(740, 800)} 560`, main, 17, trim) + disc(764, 572, 17, dark)
    return (
      jaw +
      swivel +
      body +
      hinge +
      (back ? solid(box(420, 392, 130, 38, 6), '#98a4ad') : line('M430 411H550', main, 9)) +
      pin +
      pull
    )
  },
}

const anchors: Kind = {
  focus: [480, 480],
  draw({ main, dark, light, deep }, back, random) {
    const ring = hose(oval(480, 130, 34, 38), steel, 15)
    const shank = solid('M452 164H508L520 520H440Z', main, 'tube') + disc(480, 176, 13, deep)
    const stock = random.likely(0.5) ? solid(box(400, 214, 160, 24, 12), dark, 'bar') : ''
    const fluke =
      solid('M480 628L446 560Q330 540 262 440L230 462L236 330L352 384L316 404Q370 470 480 486Z', main) +
      line('M262 440Q340 530 470 560', back ? deep : light, 8)
    const crown = solid('M480 470L540 520L480 640L420 520Z', back ? deep : dark)
    return mirrored(fluke) + shank + stock + crown + ring
  },
}

const fenders: Kind = {
  focus: [480, 190],
  draw({ main, dark, light, deep }, back, random) {
    const width = random.integer(86, 104)
    const body = `M480 178Q${480 + width} 180 ${480 + width} 262V500Q${480 + width} 584 480 586Q${480 - width} 584 ${480 - width} 500V262Q${480 - width} 180 480 178Z`
    const eye = (y: number) => solid(box(444, y, 72, 62, 20), dark, 'tube') + disc(480, y + 31, 13, '#ffffff', 'soft')
    const ribs = times(4, (i) =>
      line(
        `M${480 - width + 8} ${300 + i * 54}Q480 ${316 + i * 54} ${480 + width - 8} ${300 + i * 54}`,
        i % 2 ? light : dark,
        5,
      ),
    )
    const knot = rope('M480 160Q470 60 560 50Q650 60 640 180Q640 340 690 470', cream, 18, '#a98c5a')
    return (
      eye(134) +
      eye(568) +
      solid(body, main, 'tube') +
      ribs +
      knot +
      (back ? disc(480, 250, 22, deep) : flat(box(440, 380, 80, 34, 6), cream))
    )
  },
}

export const deck: Readonly<Record<string, Kind>> = { Ropes: ropes, Blocks: blocks, Shackles: shackles, Anchors: anchors, Fenders: fenders } // prettier-ignore
