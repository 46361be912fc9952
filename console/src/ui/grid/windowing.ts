/**
 * Which rows of a very long list are in sight.
 *
 * Browsers cannot make an element taller than some 33 million pixels; a million rows of 40 are 40 million. Beyond the
 * limit the scroll bar is mapped onto the rows by a factor: a notch of the wheel goes a little farther, and every row can
 * still be reached.
 */
export interface Window {
  /** The first row drawn, and how many. */
  readonly first: number
  readonly count: number
  /** Where the drawn rows begin, in pixels of the scrolled content. */
  readonly top: number
  /** The height of the scrolled content. */
  readonly height: number
}

const tallest = 30_000_000
const beyond = 12

export function windowOf(rows: number, rowHeight: number, scrollTop: number, viewHeight: number): Window {
  const whole = rows * rowHeight
  const height = Math.min(whole, tallest)
  const factor = factorOf(whole, height, viewHeight)
  const position = scrollTop * factor
  const inSight = Math.floor(position / rowHeight)
  const first = Math.max(0, inSight - beyond)
  const last = Math.min(rows, inSight + Math.ceil(viewHeight / rowHeight) + 1 + beyond)
  return { first, count: Math.max(0, last - first), top: scrollTop - (position - first * rowHeight), height }
}

/** Where to scroll so that a row is in sight; the present position where it already is. */
export function scrollTo(row: number, rows: number, rowHeight: number, scrollTop: number, viewHeight: number): number {
  const whole = rows * rowHeight
  const factor = factorOf(whole, Math.min(whole, tallest), viewHeight)
  const position = scrollTop * factor
  if (row * rowHeight < position) return (row * rowHeight) / factor
  if ((row + 1) * rowHeight > position + viewHeight) return ((row + 1) * rowHeight - viewHeight) / factor
  return scrollTop
}

const factorOf = (whole: number, height: number, view: number) =>
  whole > height ? (whole - view) / (height - view) : 1
