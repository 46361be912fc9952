/** Cron expressions with a time zone. */
import { because } from '@kontor/contract'
import { Cron } from 'croner'
import { Problem } from '../errors.ts'

interface Schedule {
  readonly cron: string
  readonly timeZone?: string
}

/** The next time after `from`; undefined if there is no such time. An hour that a clock change skips is moved to its end. */
export function nextTime({ cron, timeZone = 'UTC' }: Schedule, from: Date): Date | undefined {
  return new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true }).nextRun(from) ?? undefined
}

/** `place`: where the caller sent it. */
export function demandSchedule(schedule: Schedule, place = '/feed/schedule'): void {
  const { cron, timeZone = 'UTC' } = schedule
  if (!isTimeZone(timeZone))
    throw new Problem('invalid', because('unknownTimeZone', { place, name: timeZone.slice(0, 50) })) // prettier-ignore
  const expected = 'expected five fields: minute, hour, day of the month, month, day of the week; 0 6 * * * is every day at 06:00' // prettier-ignore
  let next: Date | undefined
  try {
    next = nextTime(schedule, new Date())
  } catch (error) {
    throw new Problem('invalid', because('cronUnknown', { place, text: cron.slice(0, 100), expected }), { cause: error }) // prettier-ignore
  }
  if (!next) throw new Problem('invalid', because('cronNever', { place, text: cron.slice(0, 100), expected }))
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
