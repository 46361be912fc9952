/**
 * A field for a date, in the language of the console; a native field follows the browser's. People type the date, or choose
 * it in a calendar: arrow keys move by days and weeks, Page Up and Page Down by months, Enter chooses.
 */
import { ActionIcon, Button, Group, Popover, Text, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import {
  addDays,
  addMonths,
  datePattern,
  dayName,
  formatDate,
  isDate,
  monthName,
  parseDate,
  toIso,
  weekdayName,
  weeksOf,
} from './dates.ts'
import { defineTexts, useLanguage, useTexts } from './language.tsx'
import classes from './date-field.module.css'

export const texts = defineTexts('dates', {
  calendar: 'Choose a date',
  previous: 'Previous month',
  next: 'Next month',
  today: 'Today',
  clear: 'Clear',
  invalid: 'Enter a date like {example}.',
  day: 'dd',
  month: 'mm',
  year: 'yyyy',
})

interface DateFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'min' | 'max'> {
  /** An ISO date, or an empty text. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly min?: string | undefined
  readonly max?: string | undefined
}

export function DateField({ value, onChange, min, max, error, ...input }: DateFieldProps) {
  const t = useTexts(texts)
  const { language } = useLanguage()
  const [typed, setTyped] = useState<string>()
  const [opened, setOpened] = useState(false)
  const isInvalid = typed !== undefined && typed !== '' && parseDate(typed, language) === undefined
  const type = (text: string) => {
    setTyped(text)
    if (text === '') onChange('')
    else {
      const iso = parseDate(text, language)
      if (iso !== undefined) onChange(iso)
    }
  }
  const choose = (iso: string) => {
    setTyped(undefined)
    setOpened(false)
    onChange(iso)
  }
  return (
    <TextInput
      {...input}
      placeholder={input.placeholder ?? datePattern(language, t)}
      value={typed ?? formatDate(value, language)}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={(event) => {
        if (!isInvalid) setTyped(undefined)
        input.onBlur?.(event)
      }}
      error={isInvalid ? t('invalid', { example: formatDate(toIso(new Date()), language) }) : error}
      rightSection={
        <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus returnFocus shadow="md">
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('calendar')}
              disabled={Boolean(input.readOnly || input.disabled)}
              onClick={() => setOpened(!opened)}
            >
              <IconCalendar size={16} />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown p="sm" aria-label={t('calendar')}>
            <Calendar chosen={isDate(value) ? value.slice(0, 10) : ''} min={min} max={max} onChoose={choose} />
          </Popover.Dropdown>
        </Popover>
      }
    />
  )
}

interface CalendarProps {
  readonly chosen: string
  readonly min: string | undefined
  readonly max: string | undefined
  readonly onChoose: (iso: string) => void
}

const steps: Readonly<Record<string, (iso: string) => string>> = {
  ArrowLeft: (iso) => addDays(iso, -1),
  ArrowRight: (iso) => addDays(iso, 1),
  ArrowUp: (iso) => addDays(iso, -7),
  ArrowDown: (iso) => addDays(iso, 7),
  PageUp: (iso) => addMonths(iso, -1),
  PageDown: (iso) => addMonths(iso, 1),
}

function Calendar({ chosen, min, max, onChoose }: CalendarProps) {
  const t = useTexts(texts)
  const { language } = useLanguage()
  const today = toIso(new Date())
  const [current, setCurrent] = useState(chosen || today)
  const grid = useRef<HTMLTableElement>(null)
  const moved = useRef(false)
  useEffect(() => {
    if (moved.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }, [current])
  const isAllowed = (iso: string) => (!min || iso >= min.slice(0, 10)) && (!max || iso <= max.slice(0, 10))
  const move = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    moved.current = true
    setCurrent(step(current))
  }
  const weeks = weeksOf(current)
  const page = (months: number) => {
    moved.current = false
    setCurrent(addMonths(current, months))
  }
  return (
    <>
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <ActionIcon variant="subtle" color="gray" aria-label={t('previous')} onClick={() => page(-1)}>
          <IconChevronLeft size={18} />
        </ActionIcon>
        <Text fw={600} size="sm" aria-live="polite">
          {monthName(current, language)}
        </Text>
        <ActionIcon variant="subtle" color="gray" aria-label={t('next')} onClick={() => page(1)}>
          <IconChevronRight size={18} />
        </ActionIcon>
      </Group>
      <table ref={grid} className={classes.calendar} onKeyDown={move}>
        <thead>
          <tr>
            {weeks[0]!.map((iso) => (
              <th key={iso} scope="col">
                {weekdayName(iso, language)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((iso) => (
                <td key={iso}>
                  <button
                    type="button"
                    className={classes.day}
                    tabIndex={iso === current ? 0 : -1}
                    aria-label={dayName(iso, language)}
                    aria-pressed={iso === chosen}
                    aria-current={iso === today ? 'date' : undefined}
                    data-outside={iso.slice(0, 7) !== current.slice(0, 7) || undefined}
                    data-autofocus={iso === current || undefined}
                    disabled={!isAllowed(iso)}
                    onClick={() => onChoose(iso)}
                  >
                    {Number(iso.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Group justify="space-between" mt="xs">
        <Button variant="subtle" size="compact-sm" onClick={() => onChoose('')}>
          {t('clear')}
        </Button>
        <Button variant="subtle" size="compact-sm" disabled={!isAllowed(today)} onClick={() => onChoose(today)}>
          {t('today')}
        </Button>
      </Group>
    </>
  )
}
