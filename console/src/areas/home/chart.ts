/** Geometry of line charts. */

export interface Point {
  /** Days before today. */
  readonly ago: number
  readonly percent: number
}
export interface Line {
  readonly key: string
  readonly label: string
  /** Oldest first. */
  readonly points: readonly Point[]
}
interface Day {
  readonly day?: string
  readonly required?: number
  readonly missing?: number
}

export const plot = { width: 600, height: 180, left: 40, right: 8, top: 8, bottom: 24 }

const dayMs = 24 * 3_600_000

/** The days of a channel, all languages together; days on which nothing was required are left out. */
export function toPoints(days: readonly Day[], today: string): Point[] {
  const byDay = Map.groupBy(days, ({ day = '' }) => day)
  return [...byDay].flatMap(([day, parts]) => {
    const required = parts.reduce((sum, part) => sum + (part.required ?? 0), 0)
    const missing = parts.reduce((sum, part) => sum + (part.missing ?? 0), 0)
    const ago = Math.round((Date.parse(today) - Date.parse(day)) / dayMs)
    return required === 0 ? [] : [{ ago, percent: Math.floor((100 * (required - missing)) / required) }]
  })
}

/** The earliest percentage of the axis: charts of complete channels are not flat lines at the top. */
export const baseOf = (lines: readonly Line[]) => {
  const lowest = Math.min(100, ...lines.flatMap(({ points }) => points.map(({ percent }) => percent)))
  return Math.max(0, Math.floor((lowest - 5) / 10) * 10)
}

/** The positions of a line in the plot. */
export function toPath(points: readonly Point[], days: number, base: number): { x: number; y: number }[] {
  const { width, height, left, right, top, bottom } = plot
  return points.map(({ ago, percent }) => ({
    x: left + (1 - ago / Math.max(1, days)) * (width - left - right),
    y: top + (1 - (percent - base) / Math.max(1, 100 - base)) * (height - top - bottom),
  }))
}
