/** Tents, sleeping bags, stoves, lanterns, dry bags and bottles. */
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
  solid,
  steel,
  times,
  turned,
} from './pencil.ts'

const tents: Kind = {
  focus: [470, 420],
  draw({ main, dark, deep, light, trim }, back, random) {
    const top = random.integer(176, 206)
    const dome = `M110 596Q170 ${top + 20} 480 ${top}Q790 ${top + 20} 850 596Z`
    const poles = line(
      `M180 598Q300 ${top - 10} 480 ${top}Q620 ${top} 690 596M780 598Q660 ${top - 10} 480 ${top}Q340 ${top} 270 596`,
      deep,
      7,
    )
    const guys =
      line(`M210 400L60 612M750 400L900 612`, '#8d99a4', 4) + line('M54 600L66 624M906 600L894 624', steel, 8)
    const door =
      flat(`M480 ${top + 70}Q350 330 330 596H620Q610 330 480 ${top + 70}Z`, ink) +
      flat('M360 596Q400 540 620 560L620 596Z', '#8a8f7c') +
      solid(`M480 ${top + 70}Q610 330 620 596H690Q670 380 480 ${top + 70}Z`, light) +
      line(`M480 ${top + 70}Q350 330 330 596`, trim, 6)
    const rear = flat('M400 380Q480 330 560 380L550 430H410Z', deep) + line('M150 540H810', dark, 6)
    return (
      guys +
      solid(dome, main) +
      flat(`M480 ${top}Q790 ${top + 20} 850 596H720Q680 330 480 ${top}Z`, dark, 'fill-opacity="0.55"') +
      (back ? rear : door) +
      poles +
      line('M110 598H850', deep, 9)
    )
  },
}

const sleepingBags: Kind = {
  focus: [480, 200],
  draw({ main, dark, deep, light, trim }, back, random) {
    const bag =
      'M480 60Q590 64 606 160Q650 230 636 340Q620 520 560 640Q480 676 400 640Q340 520 324 340Q310 230 354 160Q370 64 480 60Z'
    const seams = times(
      7,
      (i) =>
        line(
          `M${330 + Math.max(0, i - 2) * 12} ${280 + i * 50}Q480 ${304 + i * 50} ${630 - Math.max(0, i - 2) * 12} ${280 + i * 50}`,
          dark,
          6,
        ) +
        line(
          `M${334 + Math.max(0, i - 2) * 12} ${288 + i * 50}Q480 ${312 + i * 50} ${626 - Math.max(0, i - 2) * 12} ${288 + i * 50}`,
          light,
          4,
          'stroke-opacity="0.5"',
        ),
    )
    const opening =
      solid('M480 92Q566 98 566 168Q556 240 480 244Q404 240 394 168Q394 98 480 92Z', trim) +
      flat('M480 116Q540 120 542 170Q532 218 480 222Q428 218 418 170Q420 120 480 116Z', deep) +
      solid(box(428, 176, 104, 50, 22), cream)
    const zip =
      line('M588 236Q604 360 560 520', ink, 9) +
      line('M588 236Q604 360 560 520', trim, 3, 'stroke-dasharray="5 4"') +
      disc(584, 262, 10, steel)
    const cords =
      line('M440 246Q430 290 450 310M520 246Q530 290 512 312', ink, 5) + disc(450, 312, 8, ink) + disc(512, 314, 8, ink)
    return turned(
      random.integer(28, 34),
      solid(bag, main, 'tube') + seams + (back ? line('M480 70V640', dark, 5) : opening + zip + cords),
    )
  },
}

const stoves: Kind = {
  focus: [480, 480],
  draw({ main, dark, deep, trim }, back, random) {
    const pot =
      solid('M330 190H630L622 340Q616 366 590 366H370Q344 366 338 340Z', steel, 'tube') +
      solid(box(316, 172, 328, 30, 12), '#98a4ad', 'bar') +
      solid(box(446, 140, 68, 34, 12), dark)
    const handle = line('M634 230Q740 230 790 270', '#14181c', 22) + disc(636, 232, 16, steel)
    const flame = times(5, (i) =>
      flat(
        `M${396 + i * 42} 440q-22 -${random.integer(34, 58)} 0 -78q22 44 0 78Z`,
        i % 2 ? '#5aa9e6' : '#f6b13c',
        'fill-opacity="0.9"',
      ),
    )
    const shield = solid('M300 400H660L700 606H260Z', main, 'tube') + flat('M356 400H604L590 470H370Z', ink)
    const burner = solid(box(410, 432, 140, 44, 10), '#c9a04e', 'tube')
    const holes = times(2, (row) => times(9, (i) => flat(oval(324 + i * 39 - row * 4, 516 + row * 48, 11, 11), deep)))
    return (
      handle +
      pot +
      shield +
      (back ? flat('M356 400H604L590 470H370Z', main) + line('M288 470H672', dark, 7) : flame + burner) +
      holes +
      line('M260 604H700', dark, 12) +
      mirrored(line('M352 366L340 404', steel, 12)) +
      disc(480, 158, 9, trim)
    )
  },
}

const lanterns: Kind = {
  focus: [480, 360],
  draw({ main, dark, deep, light }, back, random) {
    const bail = line('M310 300Q300 70 480 66Q660 70 650 300', steel, 8)
    const arms = mirrored(hose('M396 180Q310 190 306 300V450Q306 520 380 540', main, 26))
    const chimney =
      solid('M420 120H540L560 170H400Z', dark, 'tube') +
      solid(box(390, 166, 180, 40, 10), main, 'tube') +
      solid(box(446, 92, 68, 34, 8), main, 'tube')
    const globe =
      flat('M420 206H540Q606 320 552 458H408Q354 320 420 206Z', '#fdf3cf', 'fill-opacity="0.92"') +
      flat(oval(480, 356, 92, 104), '#ffd977', 'fill-opacity="0.6"')
    const height = random.integer(250, 290)
    const flame =
      flat(`M480 ${height}Q528 360 504 414H456Q432 360 480 ${height}Z`, '#f6a23c') +
      flat('M480 330Q500 376 492 412H468Q460 376 480 330Z', '#fff3c4')
    const cage =
      line('M420 206Q354 320 408 458M540 206Q606 320 552 458M372 332Q480 356 588 332', steel, 6) +
      flat('M410 250Q384 330 410 420Q396 330 424 250Z', '#ffffff', 'fill-opacity="0.7"')
    const tank =
      solid(box(400, 456, 160, 40, 8), dark, 'tube') +
      solid('M366 496H594L640 580Q640 612 604 612H356Q320 612 320 580Z', main, 'tube') +
      line('M330 572H630', light, 7)
    return (
      bail +
      arms +
      chimney +
      globe +
      flame +
      cage +
      tank +
      (back ? disc(480, 550, 24, deep) : disc(612, 520, 20, steel) + line('M552 476H600', steel, 7))
    )
  },
}

const dryBags: Kind = {
  focus: [480, 200],
  draw({ main, dark, deep, light, trim }, back, random) {
    const body = 'M330 236Q480 214 630 236L648 560Q650 606 600 612H360Q310 606 312 560Z'
    const roll = solid(box(322, 168, 316, 70, 26), dark, 'bar') + line('M338 190H622M338 214H622', deep, 4)
    const loop =
      line('M340 192Q330 80 480 76Q630 80 620 192', ink, 22) +
      solid(box(430, 54, 100, 48, 12), ink) +
      line('M480 60V96', steel, 6)
    const strap = back ? line('M380 240Q350 420 384 606M580 240Q610 420 576 606', ink, 30) : ''
    const print = back
      ? ''
      : flat('M312 470Q480 500 648 470L650 520Q480 548 312 520Z', trim) +
        line(`M420 ${random.integer(360, 390)}q30 -34 60 0t60 0`, light, 13) +
        solid(box(598, 330, 26, 60, 6), ink)
    return (
      loop +
      solid(body, main, 'tube') +
      line('M350 260Q370 300 344 340M610 262Q590 310 616 350', dark, 5) +
      print +
      strap +
      roll
    )
  },
}

const bottles: Kind = {
  focus: [480, 200],
  draw({ main, dark, deep, light, trim }, back, random) {
    const shoulder = random.integer(236, 268)
    const body = `M440 190H520Q524 214 560 ${shoulder}Q584 ${shoulder + 20} 584 ${shoulder + 60}V580Q584 618 548 618H412Q376 618 376 580V${shoulder + 60}Q376 ${shoulder + 20} 400 ${shoulder}Q436 214 440 190Z`
    const cap =
      hose('M430 120Q440 64 480 62Q520 64 530 120', dark, 16) +
      solid(box(424, 112, 112, 76, 14), dark, 'tube') +
      line(
        times(7, (i) => `M${438 + i * 14} 132V176`),
        deep,
        4,
      )
    const base =
      flat('M376 560H584V580Q584 618 548 618H412Q376 618 376 580Z', steel) +
      flat('M376 560H584V580Q584 618 548 618H412Q376 618 376 580Z', 'url(#tube)')
    const mark = back
      ? times(5, (i) => line(`M500 ${350 + i * 38}h40`, light, 5))
      : line('M436 420q22 -26 44 0t44 0M436 450q22 -26 44 0t44 0', trim, 9)
    return cap + solid(box(438, 182, 84, 16, 4), steel, 'tube') + solid(body, main, 'tube') + base + mark
  },
}

export const camping: Readonly<Record<string, Kind>> = { Tents: tents, SleepingBags: sleepingBags, Stoves: stoves, Lanterns: lanterns, DryBags: dryBags, Bottles: bottles } // prettier-ignore
