/**
 * Where a channel stands among its brothers. The numbers are sparse, so that most moves change one channel alone; only
 * where two neighbours have no number left between them are all brothers numbered anew.
 */
export interface Brother {
  readonly tid: string
  readonly order: number
}

export const orderStep = 2 ** 20

/** The new numbers: of the moved one, and of the others where there was no room. `brothers` stand in order, without it. */
export function ordersFor(brothers: readonly Brother[], moved: string, index: number): Brother[] {
  const before = brothers[index - 1]?.order ?? (brothers[index]?.order ?? 2 * orderStep) - 2 * orderStep
  const after = brothers[index]?.order ?? before + 2 * orderStep
  const order = Math.floor((before + after) / 2)
  if (order > before && order < after) return [{ tid: moved, order }]
  const tids = brothers.map(({ tid }) => tid).toSpliced(index, 0, moved)
  return tids.map((tid, i) => ({ tid, order: (i + 1) * orderStep }))
}
