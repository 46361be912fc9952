/** ISO 8601 durations (P3D, PT4H, P1Y2M) for deadlines. */

const pattern = /^P(?=\d|T\d)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/

export const isDuration = (text: string): boolean => pattern.test(text)

/**
 * Adds a duration to a date. Months are calendar months; a day that the target month lacks rolls over into the next
 * month.
 */
export function after(from: Date, duration: string): Date | undefined {
  const match = pattern.exec(duration)
  if (!match) return undefined
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((digits) => (digits === undefined ? 0 : Number(digits)))
  const date = new Date(from)
  date.setUTCMonth(date.getUTCMonth() + 12 * years + months)
  const rest = (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds
  const moment = new Date(date.getTime() + rest * 1000)
  return Number.isNaN(moment.getTime()) ? undefined : moment
}

/** Parses a deadline of a definition or configuration: a duration from now, or a date. */
export function momentOf(text: string, now = new Date()): Date | undefined {
  if (isDuration(text)) return after(now, text)
  const moment = /^\d{4}-\d\d-\d\d/.test(text) ? new Date(text) : undefined
  return moment && !Number.isNaN(moment.getTime()) ? moment : undefined
}
