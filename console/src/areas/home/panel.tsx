/** A panel of the home page: title, link to the full list, content. */
import { Anchor, Group, Paper, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTexts } from '../../ui/language.tsx'
import { texts } from './texts.ts'

export function Panel({
  title,
  to,
  children,
}: {
  title: string
  to?: '/channels' | '/products' | '/tasks'
  children: ReactNode
}) {
  const t = useTexts(texts)
  return (
    <Paper component="section" aria-label={title} p="md" mb="md">
      <Group justify="space-between" mb="sm">
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
