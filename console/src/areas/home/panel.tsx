/** A panel of the home page: title, link to the full list, content. */
import { Anchor, Group, Paper, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTexts } from '../../ui/language.tsx'
import { texts } from './texts.ts'

interface PanelProps {
  readonly title: string
  readonly to?: '/channels' | '/products' | '/tasks' | '/search'
  readonly children: ReactNode
}

export function Panel({ title, to, children }: PanelProps) {
  const t = useTexts(texts)
  return (
    <Paper component="section" aria-label={title} p="md">
      <Group justify="space-between" mb="sm" wrap="nowrap">
        <Title order={2}>{title}</Title>
        {to && (
          <Anchor
            size="sm"
            aria-label={`${t('showAll')}: ${title}`}
            renderRoot={(props) => <Link to={to} {...props} />}
          >
            {t('showAll')}
          </Anchor>
        )}
      </Group>
      {children}
    </Paper>
  )
}

/** Says why a widget has nothing to show, and what to do about it. */
export const Hint = ({ children }: { readonly children: ReactNode }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
)
