/** The months in which files were added, to jump to. The month in the middle of the view is marked. */
import { UnstyledButton } from '@mantine/core'
import { useLanguage, useTexts } from '../../ui/language.tsx'
import type { Month } from './assets.ts'
import { texts } from './texts.ts'
import classes from './assets-page.module.css'

interface TimelineProps {
  readonly months: readonly Month[]
  /** The index of the file in the middle of the view. */
  readonly at: number
  readonly onJump: (index: number) => void
}

export function Timeline({ months, at, onJump }: TimelineProps) {
  const t = useTexts(texts)
  const { language } = useLanguage()
  if (months.length === 0) return null
  const monthName = new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' })
  const current = months.findLast(({ first }) => first <= at)?.month
  return (
    <nav className={classes.timeline} aria-label={t('timeline')}>
      {[...Map.groupBy(months, ({ month }) => month.slice(0, 4))].map(([year, inYear]) => (
        <section key={year}>
          <h2>{year}</h2>
          {inYear.map(({ month, count, first }) => (
            <UnstyledButton
              key={month}
              className={classes.month}
              aria-current={month === current ? 'date' : undefined}
              onClick={() => onJump(first)}
            >
              {monthName.format(new Date(`${month}-01`))} <span>{count}</span>
            </UnstyledButton>
          ))}
        </section>
      ))}
    </nav>
  )
}
