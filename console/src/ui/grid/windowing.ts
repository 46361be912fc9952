/**
 * The visible rows of a very long list.
 *
 * Browsers limit the height of an element to about 33 million pixels; a million rows of 40 pixels need 40 million. Beyond
 * the limit, the scroll position is scaled by a factor: a notch of the wheel moves a little farther, and every row can still
 * be reached.
 */
interface RowWindow {
  /** The first row drawn, and the number of drawn rows. */
  readonly first: number
  readonly count: number
  /** The top of the first drawn row, in pixels of the scrolled content. */
  readonly top: number
  /** The height of the scrolled content. */
  readonly height: number
}

const maxHeight = 30_000_000
/** Rows drawn above and below the visible ones. */
const overscan = 12

export function windowOf(rows: number, rowHeight: number, scrollTop: number, viewHeight: number): RowWindow {
  const whole = rows * rowHeight
  const height = Math.min(whole, maxHeight)
  const factor = factorOf(whole, height, viewHeight)
  const position = scrollTop * factor
  const firstVisible = Math.floor(position / rowHeight)
  const first = Math.max(0, firstVisible - overscan)
  const last = Math.min(rows, firstVisible + Math.ceil(viewHeight / rowHeight) + 1 + overscan)
  return { first, count: Math.max(0, last - first), top: scrollTop - (position - first * rowHeight), height }
}

/** The scroll position that makes a row visible; the current position if it already is. */
export function scrollTo(row: number, rows: number, rowHeight: number, scrollTop: number, viewHeight: number): number {
  const whole = rows * rowHeight
  const factor = factorOf(whole, Math.min(whole, maxHeight), viewHeight)
  const position = scrollTop * factor
  if (row * rowHeight < position) return (row * rowHeight) / factor
  if ((row + 1) * rowHeight > position + viewHeight) return ((row + 1) * rowHeight - viewHeight) / factor
  return scrollTop
}

const factorOf = (whole: number, height: number, view: number) =>
  whole > height ? (whole - view) / (height - view) : 1
