/** Kayaks, dinghies, inflatable boats and paddles. */
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

const kayaks: Kind = {
  focus: [480, 360],
  draw({ main, dark, deep, light, trim }, back, random) {
    const hull = 'M60 360Q230 276 480 274Q730 276 900 360Q730 446 480 448Q230 446 60 360Z'
    const cords = line('M600 300L690 410M690 314L600 424M640 302L720 396M720 328L640 418', ink, 5)
    const hatch = (x: number, r: number) =>
      flat(oval(x, 360, r, r * 0.78), deep) + solid(oval(x, 360, r - 8, (r - 8) * 0.76), dark, 'ball')
    const deck =
      line('M66 360H330M610 360H894', light, 6) +
      cords +
      hatch(266, random.integer(40, 48)) +
      hatch(780, 32) +
      line('M150 334L216 392M216 322L150 388', ink, 5) +
      solid(oval(462, 360, 118, 60), deep) +
      flat(oval(462, 360, 100, 46), '#14181c') +
      solid('M384 330Q430 320 436 360Q430 400 384 390Z', trim) +
      solid(box(424, 334, 84, 52, 20), dark)
    const keel = line('M66 360H894', dark, 12) + line('M180 330Q480 300 780 330M180 390Q480 420 780 390', light, 5)
    return turned(
      -24,
      solid(hull, main, 'bar') +
        line('M82 352Q240 286 480 284Q720 286 878 352', trim, 7) +
        (back ? keel : deck) +
        disc(72, 360, 9, ink) +
        disc(888, 360, 9, ink),
    )
  },
}

const dinghies: Kind = {
  focus: [560, 300],
  draw({ main, dark, light, trim }, back, random) {
    const foot = random.integer(700, 740)
    const rig =
      line('M440 540V70', '#8a8f94', 11) +
      solid(`M452 78Q640 270 ${foot} 462Q590 484 452 480Z`, '#f7f5ee') +
      line(`M452 170L560 196M452 270L632 300M452 370L686 392`, '#c3c6c4', 4) +
      solid('M430 110Q330 300 250 500Q350 506 430 490Z', back ? '#eef0ec' : trim) +
      line(`M444 494H${foot}`, '#8a8f94', 12) +
      (back ? line(oval(524, 262, 24, 24), main, 9) : disc(520, 262, 26, main, 'soft'))
    const hull =
      solid('M150 516Q420 560 790 506L766 578Q740 606 690 608H320Q220 600 150 516Z', main, 'bar') +
      flat('M170 530Q420 580 782 530L790 506Q420 560 150 516Z', light) +
      line('M220 566Q460 604 772 560', dark, 6)
    const blade = solid('M770 500L810 494L832 640Q812 652 792 640Z', dark) + line('M790 500L660 484', '#8a8f94', 9)
    return rig + blade + hull
  },
}

const inflatables: Kind = {
  focus: [300, 360],
  draw({ main, dark, trim }, back, random) {
    const tube = 'M800 250H330Q190 258 150 360Q190 462 330 470H800'
    const slats = times(9, (i) => `M${270 + i * 60} 268V452`)
    const seat = (x: number) => solid(box(x, 244, 62, 232, 10), cream)
    const rests = random.integer(420, 470)
    const inside =
      flat('M790 262H330Q214 270 180 360Q214 450 330 458H790Z', back ? dark : '#8f979d') +
      line(slats, back ? main : '#747d84', 4) +
      (back ? line('M180 360H790', main, 18) : seat(rests) + seat(rests + 170))
    const engine =
      solid(box(756, 300, 34, 120, 6), '#a58a66') +
      (back ? '' : solid(box(784, 318, 92, 84, 24), ink, 'ball') + line('M810 360H860', '#e4573d', 8))
    const line1 = line(
      'M250 236Q290 216 330 236T410 236T490 236T570 236T650 236M250 484Q290 504 330 484T410 484T490 484T570 484T650 484',
      ink,
      5,
    )
    return turned(
      -14,
      inside +
        engine +
        hose(tube, main, 92) +
        line('M330 250H700M330 470H700', trim, 10) +
        line1 +
        disc(150, 360, 15, steel),
    )
  },
}

const paddles: Kind = {
  focus: [210, 530],
  draw({ main, dark, light, trim }, back, random) {
    const blade = solid('M-10 360Q10 296 130 292Q214 296 236 350L236 370Q214 424 130 428Q10 424 -10 360Z', main, 'bar') + line('M10 360H236', back ? dark : light, 10) +
      (back ? '' : flat('M20 330Q70 306 130 304L104 346H24Z', trim)) // prettier-ignore
    const shaft = line('M220 360H740', '#14181c', 25) + line('M220 354H740', '#ffffff', 6, 'stroke-opacity="0.3"')
    const grip = random.integer(300, 330)
    const joint =
      solid(box(452, 342, 56, 36, 6), steel, 'bar') +
      mirrored(line(`M${grip} 360h70`, dark, 29) + disc(256, 360, 20, ink))
    return turned(-32, shaft + mirrored(blade) + joint)
  },
}

export const boats: Readonly<Record<string, Kind>> = { Kayaks: kayaks, Dinghies: dinghies, Inflatables: inflatables, Paddles: paddles } // prettier-ignore
