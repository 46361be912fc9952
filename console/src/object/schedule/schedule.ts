/** Schedules in words: the common cron expressions as choices of a form. Others remain cron expressions. */

export const rhythms = ['byHand', 'minutes', 'hourly', 'daily', 'weekdays', 'weekly', 'monthly', 'custom'] as const
export type Rhythm = (typeof rhythms)[number]

export interface Choice {
  readonly rhythm: Rhythm
  /** 06:00 */
  readonly time: string
  /** Day of the week, from 0 for Sunday, or of the month. */
  readonly day: number
  readonly cron: string
}
const plain: Choice = { rhythm: 'custom', time: '06:00', day: 1, cron: '' }

const time = String.raw`(?<minute>\d{1,2}) (?<hour>\d{1,2})`
const patterns: readonly (readonly [Rhythm, RegExp])[] = [
  ['minutes', /^\*\/5 \* \* \* \*$/],
  ['hourly', /^(?<minute>0) \* \* \* \*$/],
  ['daily', new RegExp(`^${time} \\* \\* \\*$`)],
  ['weekdays', new RegExp(`^${time} \\* \\* 1-5$`)],
  ['weekly', new RegExp(`^${time} \\* \\* (?<day>[0-6])$`)],
  ['monthly', new RegExp(`^${time} (?<day>[1-9]|1\\d|2[0-8]) \\* \\*$`)],
]
const two = (text = '0') => text.padStart(2, '0')

export function choiceOf(cron: string | undefined): Choice {
  if (cron === undefined) return { ...plain, rhythm: 'byHand' }
  for (const [rhythm, pattern] of patterns) {
    const groups = pattern.exec(cron.trim().replaceAll(/\s+/g, ' '))?.groups ?? undefined
    if (!pattern.test(cron.trim().replaceAll(/\s+/g, ' '))) continue
    const { hour, minute, day = '1' } = groups ?? {}
    return { rhythm, time: hour === undefined ? plain.time : `${two(hour)}:${two(minute)}`, day: Number(day), cron }
  }
  return { ...plain, cron }
}

export function cronOf({ rhythm, time, day, cron }: Choice): string | undefined {
  const [hour, minute] = time.split(':').map(Number)
  const at = `${minute ?? 0} ${hour ?? 0}`
  const found: Readonly<Record<Rhythm, string | undefined>> = {
    byHand: undefined,
    minutes: '*/5 * * * *',
    hourly: '0 * * * *',
    daily: `${at} * * *`,
    weekdays: `${at} * * 1-5`,
    weekly: `${at} * * ${day % 7}`,
    monthly: `${at} ${day} * *`,
    custom: cron.trim(),
  }
  return found[rhythm]
}
