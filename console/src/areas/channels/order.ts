/**
 * The order of channels among their siblings. Positions are sparse, so that most moves change one channel; when two
 * neighbours have no position left between them, all siblings are renumbered.
 */
interface Position {
  readonly tid: string
  readonly order: number
}

export const orderStep = 2 ** 20

/**
 * The new positions: of the moved channel, and of its siblings when they are renumbered. `siblings` are in order and do
 * not include the moved channel.
 */
export function ordersFor(siblings: readonly Position[], moved: string, index: number): Position[] {
  const before = siblings[index - 1]?.order ?? (siblings[index]?.order ?? 2 * orderStep) - 2 * orderStep
  const after = siblings[index]?.order ?? before + 2 * orderStep
  const order = Math.floor((before + after) / 2)
  if (order > before && order < after) return [{ tid: moved, order }]
  const tids = siblings.map(({ tid }) => tid).toSpliced(index, 0, moved)
  return tids.map((tid, i) => ({ tid, order: (i + 1) * orderStep }))
}
