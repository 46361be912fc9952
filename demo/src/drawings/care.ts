/** Spare parts and services: zips, cartridges, ball bearings, repairs and inspections. */
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
  solid,
  steel,
  stitches,
  times,
  turned,
} from './pencil.ts'

const zips: Kind = {
  focus: [480, 330],
  draw({ main, dark, light, trim }, back, random) {
    const open = random.integer(290, 340)
    const tape =
      solid(`M470 ${open}Q440 200 330 110L240 160Q380 270 392 ${open}V630H470Z`, main) +
      stitches(`M420 ${open}Q400 250 300 150M416 ${open}V620`, light)
    const teeth = times(22, (i) => flat(box(i % 2 ? 470 : 458, open + 10 + i * 13, 32, 8, 3), brass))
    const free = times(9, (i) =>
      turned(
        -8 - i * 4,
        flat(box(458 - i * i * 1.9, open - 16 - i * 22, 20, 8, 3), brass),
        466 - i * i * 1.9,
        open - 16 - i * 22,
      ),
    )
    const slider =
      solid(`M440 ${open - 20}Q480 ${open - 50} 520 ${open - 20}L506 ${open + 40}H454Z`, steel) +
      (back ? '' : hose(`M480 ${open}V${open + 60}`, steel, 12) + solid(box(458, open + 50, 44, 100, 20), trim))
    return mirrored(tape + free) + teeth + slider + solid(box(452, 600, 56, 34, 6), dark)
  },
}

const cartridges: Kind = {
  focus: [350, 300],
  draw({ main, mark, trim }, back, random) {
    const bottle = (x: number, label: string) =>
      solid(box(x - 24, 96, 48, 60, 8), brass, 'tube') +
      line(
        times(4, (i) => `M${x - 22} ${108 + i * 12}H${x + 22}`),
        '#8d6d2c',
        4,
      ) +
      solid(
        `M${x - 26} 150H${x + 26}Q${x + 34} 200 ${x + 84} 240V560Q${x + 84} 616 ${x} 618Q${x - 84} 616 ${x - 84} 560V240Q${x - 34} 200 ${x - 26} 150Z`,
        steel,
        'tube',
      ) +
      flat(`M${x - 84} 320H${x + 84}V470H${x - 84}Z`, label) +
      flat(`M${x - 84} 320H${x + 84}V470H${x - 84}Z`, 'url(#tube)') +
      (back
        ? line(
            times(4, (i) => `M${x - 50} ${350 + i * 28}h100`),
            mark,
            6,
          )
        : line(`M${x - 14} 372a26 30 0 1 0 0 46M${x + 4} 395a24 28 0 1 0 48 0a24 28 0 1 0 -48 0`, mark, 11) +
          line(`M${x + 58} 408q16 -8 14 8l-14 20h16`, mark, 5) +
          line(`M${x - 60} 452H${x + 60}`, trim, 8))
    return (
      turned(random.integer(-12, -8), bottle(372, main), 372, 600) +
      turned(random.integer(8, 12), bottle(592, main), 592, 600)
    )
  },
}

const bearings: Kind = {
  focus: [400, 250],
  draw({ main, dark }, back, random) {
    const count = random.integer(9, 11)
    const bearing = (x: number, y: number, r: number) =>
      disc(x, y, r, steel) +
      disc(x, y, r * 0.82, back ? main : '#20262c', 'soft') +
      (back
        ? line(oval(x, y, r * 0.68, r * 0.68), dark, 5)
        : times(count, (i) => turned((i * 360) / count, disc(x, y - r * 0.65, r * 0.155, '#d5dce1'), x, y))) +
      line(oval(x, y, r * 0.83, r * 0.83), main, r * 0.05) +
      disc(x, y, r * 0.48, steel) +
      disc(x, y, r * 0.33, '#e6eaed', 'soft')
    return bearing(400, 350, 236) + bearing(690, 510, 118)
  },
}

const repair: Kind = {
  focus: [430, 380],
  draw({ main, dark, light, trim }, back, random) {
    const cloth = solid('M170 200Q330 160 480 200T790 190L800 590Q640 620 480 590T160 600Z', main)
    const tear = random.integer(320, 350)
    const patch = turned(
      -10,
      solid(box(290, tear - 80, 240, 230, 18), trim) + stitches(`M310 ${tear - 60}h200v190h-200Z`, ink),
      410,
      tear,
    )
    const seam = times(8, (i) => line(`M${300 + i * 34} ${470 - i * 12}l16 40`, light, 7))
    const spool =
      solid(box(620, 386, 150, 26, 8), '#a58a66', 'bar') +
      solid(box(636, 410, 118, 140, 4), dark, 'tube') +
      line(
        times(9, (i) => `M638 ${422 + i * 14}H752`),
        light,
        3,
      ) +
      solid(box(620, 548, 150, 26, 8), '#a58a66', 'bar')
    const needle =
      line('M740 470Q820 360 690 300Q600 270 560 180', light, 6) +
      solid('M556 196Q540 120 566 80L590 120Q600 200 520 420Q540 280 556 196Z', steel) +
      line('M566 104L572 140', ink, 5)
    return cloth + (back ? seam : patch) + spool + needle
  },
}

const inspection: Kind = {
  focus: [400, 330],
  draw({ main, dark, light }, back, random) {
    const ticked = random.integer(2, 4)
    const board = solid(box(270, 110, 400, 510, 26), main) + solid(box(304, 166, 332, 424, 6), '#fdfcf8')
    const clip = solid('M390 130Q396 84 470 80Q544 84 550 130H580V178H360V130Z', steel, 'bar')
    const rows = times(5, (i) => {
      const y = 226 + i * 70
      const tick = i < ticked ? line(`M338 ${y + 14}l14 18l30 -42`, '#2f8f4e', 10) : ''
      return line(`M336 ${y - 8}h40v40h-40Z`, dark, 5) + line(`M410 ${y}H600M410 ${y + 24}H540`, '#aeb7be', 8) + tick
    })
    const glass =
      line('M640 480L740 590', '#14181c', 34) +
      disc(590, 420, 92, light, 'ball') +
      flat(oval(590, 420, 74, 74), '#eaf4f8', 'fill-opacity="0.85"') +
      line('M552 420l28 34l52 -72', '#2f8f4e', 17)
    return back
      ? solid(box(270, 110, 400, 510, 26), dark) + clip + disc(470, 160, 18, ink) + line('M330 230H610', main, 6)
      : board + clip + rows + glass
  },
}

export const care: Readonly<Record<string, Kind>> = { Zips: zips, Cartridges: cartridges, Bearings: bearings, Repair: repair, Inspection: inspection } // prettier-ignore
