/** A titled part of the face of a product, with an action beside its title. */
import { Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'

export function Section({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb={6} gap={4}>
        <Title order={2} size="h5">
          {title}
        </Title>
        {action}
      </Group>
      {children}
    </section>
  )
}
