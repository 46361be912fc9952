/**
 * Timers of BPMN files. The library reads them by counting periods one by one, and counts for hours if a period is tiny
 * or its beginning is long ago, so everything that it is given is checked here first.
 */
import { TimerEventDefinition } from 'bpmn-elements'

interface Timers {
  parse(kind: string, text: unknown): { expireAt?: unknown }
  _getTimers(message: unknown): { timeout: number }
}

/**
 * A timer that fires only when the engine is given its input. The library would fire an overdue timer as soon as its
 * process is loaded, for whatever reason: completing a task late must not trigger the timer of its deadline first.
 */
export class PatientTimer extends (TimerEventDefinition as unknown as new (...parts: unknown[]) => Timers) {
  override parse(kind: string, text: unknown) {
    const fault = boundOf(kind, text)
    if (fault !== undefined) throw new RangeError(`the ${kind} "${String(text).slice(0, 60)}" ${fault}`)
    return super.parse(kind, text)
  }
  override _getTimers(message: unknown) {
    const timers = super._getTimers(message)
    return { ...timers, timeout: Math.max(timers.timeout, 1) }
  }
}

/** The fault of a timer that is given as text; undefined if there is none. */
export function timerFault(kind: string, text: string): string | undefined {
  const bound = boundOf(kind, text)
  if (bound !== undefined) return bound
  try {
    // Use the parser of the library, because the same parser will read the timer later.
    const { expireAt } = PatientTimer.prototype.parse(kind, text)
    if (expireAt instanceof Date && !Number.isNaN(expireAt.getTime())) return undefined
  } catch {
    // not a time
  }
  return 'is not in ISO 8601; write a duration like P3D, a date like 2027-01-31T08:00:00Z, or a cycle like R3/PT1H'
}

const maxLength = 100
const maxRepeats = 100_000
/** The library counts periods in 32 bits. */
const maxPeriods = 2_000_000_000

function boundOf(kind: string, text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  if (text.length > maxLength) return `is longer than ${maxLength} characters`
  if (kind === 'timeDate') return undefined
  const parts = text.split('/')
  const repeats = parts[0]?.startsWith('R') ? parts.shift()!.slice(1) : undefined
  const duration = parts.find((part) => part.startsWith('P'))
  const date = parts.find((part) => !part.startsWith('P'))
  if (Number(repeats) > maxRepeats)
    return `repeats more than ${maxRepeats} times; leave out the number to repeat always`
  if (duration === undefined || (repeats === undefined && date === undefined)) return undefined
  const period = millisOf(duration)
  if (!(period >= 1000)) return 'repeats more often than once a second; write a period of at least PT1S'
  if (date === undefined) return undefined
  const year = Number(/^\d{4}/.exec(date)?.[0])
  if (!(year >= 1970)) return 'has a date before 1970; begin later'
  const distance = Math.abs(Date.UTC(year + (year > new Date().getUTCFullYear() ? 1 : 0)) - Date.now())
  if (distance / period > maxPeriods) return `is more than ${maxPeriods} periods away; choose a nearer date or a longer period` // prettier-ignore
  return undefined
}

const day = 86_400_000
const units = { Y: 365 * day, M: 28 * day, W: 7 * day, D: day, H: 3_600_000, m: 60_000, S: 1000 }

/** At least as long as the duration is in any month; NaN if it is not one. */
function millisOf(duration: string): number {
  const [, days = '', time = ''] = /^P([^T]*)(?:T(.*))?$/.exec(duration) ?? []
  const amounts = `${days}${time.replace('M', 'm')}`
  if (!/^(?:\d+(?:[.,]\d+)?[YMWDHmS])+$/.test(amounts)) return Number.NaN
  return [...amounts.matchAll(/([\d.,]+)([A-Zm])/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount!.replace(',', '.')) * units[unit as keyof typeof units],
    0,
  )
}
