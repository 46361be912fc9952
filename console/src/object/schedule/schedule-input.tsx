/** A schedule: how often, when, and in which time zone. Also the words for a stored one. */
import { Group, NumberInput, Select, TextInput } from '@mantine/core'
import { useLanguage, useTexts } from '../../ui/language.tsx'
import { type Choice, choiceOf, type Rhythm, rhythms } from './schedule.ts'
import { scheduleTexts as texts } from './texts.ts'

const timed = new Set<Rhythm>(['daily', 'weekdays', 'weekly', 'monthly'])
/** A Sunday in UTC. */
const sunday = Date.UTC(2023, 0, 1)
const namesOfDays = (language: string) => {
  const format = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  return Array.from({ length: 7 }, (_, day) => format.format(sunday + day * 86_400_000))
}

interface Schedule {
  readonly cron?: string
  readonly timeZone?: string
}

/** Every day at 06:00 (Europe/Berlin) */
export function useScheduleText(): (schedule: Schedule | undefined) => string {
  const t = useTexts(texts)
  const { language } = useLanguage()
  return (schedule) => {
    const { rhythm, time, day, cron } = choiceOf(schedule?.cron)
    if (rhythm === 'byHand') return t('byHand')
    const zone = ` (${schedule?.timeZone ?? 'UTC'})`
    if (rhythm === 'custom') return cron + zone
    if (rhythm === 'weekly') return t('onDay', { day: namesOfDays(language)[day]!, time }) + zone
    if (rhythm === 'monthly') return t('onDayOfMonth', { day, time }) + zone
    return timed.has(rhythm) ? t('at', { rhythm: t(rhythm), time }) + zone : t(rhythm)
  }
}

interface ScheduleInputProps {
  readonly choice: Choice
  readonly timeZone: string
  readonly onChange: (choice: Choice, timeZone: string) => void
}

export function ScheduleInput({ choice, timeZone, onChange }: ScheduleInputProps) {
  const t = useTexts(texts)
  const { language } = useLanguage()
  const set = (some: Partial<Choice>) => onChange({ ...choice, ...some }, timeZone)
  const { rhythm } = choice
  const zones = [...new Set(['UTC', timeZone, ...Intl.supportedValuesOf('timeZone')])]
  return (
    <>
      <Select
        label={t('rhythm')}
        data={rhythms.map((value) => ({ value, label: t(value) }))}
        value={rhythm}
        allowDeselect={false}
        onChange={(one) => set({ rhythm: (one ?? 'byHand') as Rhythm })}
      />
      <Group grow align="flex-start">
        {timed.has(rhythm) && (
          <TextInput
            label={t('time')}
            type="time"
            required
            value={choice.time}
            onChange={(event) => set({ time: event.currentTarget.value })}
          />
        )}
        {rhythm === 'weekly' && (
          <Select
            label={t('day')}
            data={namesOfDays(language).map((label, day) => ({ value: String(day), label }))}
            value={String(choice.day % 7)}
            allowDeselect={false}
            onChange={(one) => set({ day: Number(one) })}
          />
        )}
        {rhythm === 'monthly' && (
          <NumberInput
            label={t('day')}
            min={1}
            max={28}
            value={choice.day}
            onChange={(value) => set({ day: Number(value) || 1 })}
          />
        )}
        {rhythm === 'custom' && (
          <TextInput
            label={t('custom')}
            required
            placeholder="0 6 * * 1-5"
            value={choice.cron}
            onChange={(event) => set({ cron: event.currentTarget.value })}
          />
        )}
        {(timed.has(rhythm) || rhythm === 'custom') && (
          <Select
            label={t('timeZone')}
            data={zones}
            searchable
            value={timeZone}
            allowDeselect={false}
            onChange={(one) => onChange(choice, one ?? 'UTC')}
          />
        )}
      </Group>
    </>
  )
}
