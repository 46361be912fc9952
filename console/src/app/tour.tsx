/**
 * A tour for newcomers: a card beside one part of the frame after the other. It blocks nothing: people can go on working,
 * skip it, or use the keys (Escape ends it, the arrow keys go back and forth).
 */
import { Button, CloseButton, Group, Paper, Text, Title } from '@mantine/core'
import { type CSSProperties, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTexts } from '../ui/language.tsx'
import { tourTexts } from './help-texts.ts'
import classes from './tour.module.css'

const stops = {
  palette: '[data-tour=palette]',
  products: 'nav a[href^="/products"]',
  assets: 'nav a[href^="/assets"]',
  channels: 'nav a[href^="/channels"]',
  tasks: 'nav a[href^="/tasks"]',
  help: '[data-tour=help]',
} as const
const names = Object.keys(stops) as (keyof typeof stops)[]
const gap = 12
const cardWidth = 340

export function Tour({ onEnd }: { onEnd: () => void }) {
  const t = useTexts(tourTexts)
  const [step, setStep] = useState(0)
  const title = useId()
  const name = names[step]!
  const isLast = step === names.length - 1
  const next = useRef<HTMLButtonElement>(null)
  const box = useBoxOf(stops[name])
  useEffect(() => next.current?.focus({ preventScroll: true }), [step])
  const go = (steps: number) => setStep(Math.min(Math.max(step + steps, 0), names.length - 1))
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onEnd()
    if (event.key === 'ArrowRight') go(1)
    if (event.key === 'ArrowLeft') go(-1)
  }
  return (
    <>
      {box && <div className={classes.ring} style={ringAround(box)} aria-hidden />}
      <Paper
        className={classes.card}
        style={placeBeside(box)}
        role="dialog"
        aria-labelledby={title}
        shadow="lg"
        p="md"
        onKeyDown={onKey}
      >
        <Group justify="space-between" wrap="nowrap" mb={6}>
          <Title order={2} id={title}>
            {t('tour')}
          </Title>
          <CloseButton aria-label={t('skip')} onClick={onEnd} />
        </Group>
        <Text size="sm" aria-live="polite">
          {t(name)}
        </Text>
        <Group justify="space-between" mt="md">
          <Text size="sm" c="dimmed">
            {t('step', { step: step + 1, count: names.length })}
          </Text>
          <Group gap="xs">
            {step > 0 && (
              <Button variant="default" size="xs" onClick={() => go(-1)}>
                {t('previous')}
              </Button>
            )}
            <Button ref={next} size="xs" onClick={isLast ? onEnd : () => go(1)}>
              {isLast ? t('finish') : t('next')}
            </Button>
          </Group>
        </Group>
      </Paper>
    </>
  )
}

/** Undefined if the element is not visible, as the sidebar of a narrow window. */
function useBoxOf(selector: string): DOMRect | undefined {
  const [box, setBox] = useState<DOMRect>()
  useEffect(() => {
    const measure = () => {
      const found = document.querySelector(selector)?.getBoundingClientRect()
      setBox(found && found.width > 0 && found.right > 0 && found.left < innerWidth ? found : undefined)
    }
    measure()
    addEventListener('resize', measure)
    return () => removeEventListener('resize', measure)
  }, [selector])
  return box
}

const ringAround = ({ left, top, width, height }: DOMRect): CSSProperties => ({
  left: left - 4,
  top: top - 4,
  width: width + 8,
  height: height + 8,
})

/** To the right of the sidebar, below the bar, or in the corner of the window. */
function placeBeside(box: DOMRect | undefined): CSSProperties {
  const width = Math.min(cardWidth, innerWidth - 2 * gap)
  if (!box) return { right: gap, bottom: gap, width }
  const isInSidebar = box.left < 40
  const left = isInSidebar ? box.right + gap : box.left
  return {
    width,
    left: Math.max(gap, Math.min(left, innerWidth - width - gap)),
    top: isInSidebar ? box.top : box.bottom + gap,
  }
}
