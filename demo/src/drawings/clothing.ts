/** Jackets, trousers, fleece, gloves and boots. */
import { box, cream, disc, flat, type Kind, line, mirrored, mix, moved, solid, steel, stitches, times, turned } from './pencil.ts' // prettier-ignore

const jackets: Kind = {
  focus: [500, 260],
  draw({ main, dark, deep, trim }, back, random) {
    const tape = random.integer(345, 385)
    const sleeve =
      solid('M370 166Q306 182 282 250L204 506Q198 526 220 534L262 546Q284 550 290 528L352 352Z', main) +
      flat('M212 482L298 508L290 536Q284 550 262 546L220 534Q198 526 204 506Z', dark) +
      line('M252 352L332 376', cream, 13)
    const torso =
      'M372 160Q420 190 480 190Q540 190 588 160Q626 182 628 262L642 590Q642 608 622 608H338Q318 608 318 590L332 262Q334 182 372 160Z'
    const yoke = flat(
      'M372 160Q420 190 480 190Q540 190 588 160Q622 180 627 240Q550 268 480 268Q410 268 333 240Q338 180 372 160Z',
      dark,
    )
    const hood = solid('M398 176Q378 84 480 80Q582 84 562 176Q525 208 480 208Q435 208 398 176Z', dark)
    const front =
      flat('M428 170Q424 118 480 114Q536 118 532 170Q508 194 480 194Q452 194 428 170Z', deep) +
      line('M480 196V604', deep, 15) +
      line('M480 196V604', trim, 4, 'stroke-dasharray="6 5"') +
      disc(480, 232, 9, steel) +
      mirrored(line('M360 450L410 548', deep, 9)) +
      solid(box(520, 290, 74, 46, 8), main) +
      line('M520 304H594', trim, 6)
    const rear = line('M480 84V206', deep, 5) + stitches('M330 560H630', deep) + flat(box(430, 296, 100, 26, 6), trim)
    return (
      mirrored(sleeve) +
      solid(torso, main) +
      yoke +
      line(`M328 ${tape + 60}H632`, cream, 15) +
      hood +
      (back ? rear : front)
    )
  },
}

const trousers: Kind = {
  focus: [450, 250],
  draw({ main, dark, deep, trim }, back, random) {
    const knee = random.integer(380, 410)
    const leg =
      solid('M356 120H480V262L452 606Q450 618 438 618H330Q316 618 317 604Z', main) +
      (back
        ? ''
        : flat(`M338 ${knee}L462 ${knee}L456 ${knee + 100}L331 ${knee + 100}Z`, dark) +
          stitches(`M340 ${knee + 8}L460 ${knee + 8}M334 ${knee + 92}L454 ${knee + 92}`, trim)) +
      line('M321 580H451', cream, 12) +
      flat('M318 596L452 596L450 618H320Z', deep)
    const pocket = back
      ? solid('M382 190H456V262L419 280L382 262Z', dark) + stitches('M390 200H448', trim)
      : line('M364 170Q384 214 352 236', deep, 7)
    const waist = solid(box(350, 100, 260, 46, 8), dark) + times(5, (i) => flat(box(368 + i * 52, 96, 14, 54, 4), deep))
    return (
      mirrored(leg + pocket) +
      solid(box(600, 300, 44, 96, 8), dark) +
      line('M600 322H644', trim, 6) +
      waist +
      (back ? line('M480 146V262', deep, 5) : line('M480 146V256', deep, 9) + disc(480, 122, 12, trim))
    )
  },
}

const fleece: Kind = {
  focus: [480, 240],
  draw({ main, dark, deep, light, trim }, back, random) {
    const sleeve =
      solid('M372 190Q316 200 296 262L254 520Q252 534 266 536L318 542Q332 542 334 528L352 380Z', main) +
      solid('M257 500L336 512L332 556Q330 566 318 565L264 558Q250 556 252 544Z', dark)
    const torso = 'M372 186Q420 206 480 206Q540 206 588 186Q614 206 616 280L620 560H340L344 280Q346 206 372 186Z'
    const tufts = times(150, () => {
      const [x, y] = [random.integer(352, 600), random.integer(290, 548)]
      return `M${x} ${y}q5 -7 10 0`
    })
    const collar = solid(
      'M412 196Q408 140 420 128Q480 150 540 128Q552 140 548 196Q515 214 480 214Q445 214 412 196Z',
      dark,
    )
    const front =
      line('M480 142V330', deep, 12) +
      line('M480 142V330', trim, 4, 'stroke-dasharray="5 4"') +
      line('M480 330V352', trim, 9)
    const band = flat(
      'M346 262Q350 206 372 186Q420 206 480 206Q540 206 588 186Q610 206 614 262Q550 290 480 290Q410 290 346 262Z',
      trim,
      'fill-opacity="0.9"',
    )
    return (
      mirrored(sleeve) +
      solid(torso, main) +
      line(tufts, light, 3, 'stroke-opacity="0.55"') +
      band +
      solid(box(338, 552, 284, 42, 10), dark) +
      line(
        times(20, (i) => `M${350 + i * 14} 558V588`),
        deep,
        3,
      ) +
      collar +
      (back ? '' : front)
    )
  },
}

const gloves: Kind = {
  focus: [330, 330],
  draw({ main, dark, deep, light, trim }, back, random) {
    const tips = random.likely(0.5) ? main : mix('#d9b48f', main, 0.15)
    // index to little finger: position, length and angle
    const fingers = [[258, 190, 8], [306, 214, 2], [354, 204, -3], [400, 164, -9]] as const // prettier-ignore
    const finger = ([x, length, angle]: (typeof fingers)[number]) =>
      turned(
        -angle,
        solid(box(x - 25, 330 - length, 50, length + 50, 24), main, 'tube') +
          flat(box(x - 23, 331 - length, 46, 46, 22), tips) +
          line(`M${x - 16} ${330 - length * 0.5}h32`, dark, 5),
        x,
        340,
      )
    const thumb = turned(
      -38,
      solid(box(196, 330, 56, 170, 28), main, 'tube') + flat(box(198, 331, 52, 46, 24), tips),
      230,
      480,
    )
    const palm = solid('M234 318Q330 290 424 318Q440 420 414 500H250Q222 420 234 318Z', back ? dark : main)
    const cuff = solid(box(246, 490, 170, 92, 16), dark) + solid(box(268, 508, 160, 38, 10), trim)
    const face = back
      ? times(6, (i) => line(`M262 ${344 + i * 24}H402`, deep, 4))
      : line('M276 350V410M330 340V414M384 350V410', light, 9) + disc(332, 456, 16, trim)
    const hand = fingers.map(finger).join('') + thumb + palm + face + cuff
    return mirrored(moved(10, -10, turned(-7, hand, 330, 450)))
  },
}

const boots: Kind = {
  focus: [470, 240],
  draw({ main, dark, deep, trim }, back, random) {
    const tread = times(11, (i) => flat(box(352 + i * 33, 602, 20, 16, 3), deep))
    const side =
      solid('M366 140Q450 122 530 140L534 400Q560 440 640 456Q716 474 720 560V586H352L360 420Z', main) +
      flat('M640 456Q716 474 720 560V586H620Q588 500 640 456Z', dark) +
      flat('M352 540Q400 500 420 586H352Z', dark) +
      flat('M362 132Q450 112 534 132L535 186Q450 172 362 186Z', trim) +
      line(`M364 ${random.integer(220, 250)}Q450 210 534 236`, cream, 10) +
      solid('M346 580H726Q732 606 716 608H352Q338 606 346 580Z', deep) +
      tread
    const heel =
      solid('M300 140Q380 122 456 140L462 420Q476 520 470 586H288Q280 520 296 420Z', main) +
      flat('M290 520Q380 480 468 520L470 586H288Z', dark) +
      flat('M298 132Q380 112 458 132V186Q380 172 299 186Z', trim) +
      line('M380 150V500', dark, 7) +
      solid('M280 580H478V610H280Z', deep)
    if (back) return mirrored(moved(-6, 0, heel))
    return moved(-150, -26, side, 0.98) + moved(20, 4, side)
  },
}

export const clothing: Readonly<Record<string, Kind>> = { Jackets: jackets, Trousers: trousers, Fleece: fleece, Gloves: gloves, Boots: boots } // prettier-ignore
