/**
 * Dates as texts: UTC with milliseconds, so that equal moments are equal texts and their order is that of the texts.
 *
 *   2024-02-25 → 2024-02-25T00:00:00.000Z      2024-02-25T08:00+02:00 → 2024-02-25T06:00:00.000Z
 */

const storedDate = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/
const anyDate = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?)?$/

/** The stored form of a date, or undefined if the text is not a date. */
export function readDate(text: string): string | undefined {
  if (storedDate.test(text)) return text // most dates are sent in the stored form; the 29th to 31st need a calendar
  const parts = anyDate.exec(text.trim())
  if (!parts) return undefined
  const [, day, time = '00:00', zone = 'Z'] = parts
  const midnight = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day!)) return undefined
  const moment = new Date(`${day}T${time}${zone.replace(/^(...)(\d\d)$/, '$1:$2')}`)
  const written = Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
  return written !== undefined && storedDate.test(written.replace(/-\d\dT/, '-01T')) ? written : undefined
}
