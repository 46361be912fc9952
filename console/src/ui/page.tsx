/** The layout of a page: title (also of the browser tab), actions and content. */
import { Box, Group, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useLayoutEffect } from 'react'
import classes from './page.module.css'

interface PageProps {
  readonly title: string
  readonly subtitle?: ReactNode
  /** In front of the title: a back button, a picture. */
  readonly before?: ReactNode
  readonly actions?: ReactNode
  /** The content fills the window; its panes scroll, not the page. */
  readonly fill?: boolean
  readonly children: ReactNode
}

export function Page({ title, subtitle, before, actions, fill = false, children }: PageProps) {
  useLayoutEffect(() => {
    document.title = `${title} · Kontor`
  }, [title])
  return (
    <Box className={classes.page} data-fill={fill || undefined}>
      <Group component="header" justify="space-between" className={classes.head} wrap="nowrap">
        <Group gap="sm" wrap="nowrap" miw={0}>
          {before}
          <Box miw={0}>
            <Title order={1} className={classes.title}>
              {title}
            </Title>
            {subtitle && (
              <Text component="div" size="sm" c="dimmed">
                {subtitle}
              </Text>
            )}
          </Box>
        </Group>
        <Group gap="xs" wrap="nowrap" className={classes.actions}>
          {actions}
        </Group>
      </Group>
      <Box className={classes.body}>{children}</Box>
    </Box>
  )
}

/** The title of the browser tab names the object that is open on the page. */
export function useTabTitle(name: string | undefined): void {
  useEffect(() => {
    if (!name) return undefined
    const before = document.title
    document.title = `${name} · Kontor`
    return () => void (document.title = before)
  }, [name])
}

/** Panes side by side: navigation, list, detail. Narrow windows stack them. */
export function Panes({ side, sideLabel, children, end, endLabel }: PanesProps) {
  return (
    <div className={classes.panes}>
      {side && (
        <nav className={classes.side} aria-label={sideLabel}>
          {side}
        </nav>
      )}
      <div className={classes.centre}>{children}</div>
      {end && (
        <aside className={classes.end} aria-label={endLabel}>
          {end}
        </aside>
      )}
    </div>
  )
}
interface PanesProps {
  readonly side?: ReactNode
  readonly sideLabel?: string
  readonly children: ReactNode
  readonly end?: ReactNode
  readonly endLabel?: string
}
