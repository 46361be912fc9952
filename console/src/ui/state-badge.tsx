/** A badge for a state that people must notice. */
import { Badge, type BadgeProps } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface StateBadgeProps extends Pick<BadgeProps, 'size' | 'className'> {
  /** For badges that may be cut off. */
  readonly title?: string
  readonly color: string
  readonly icon: Icon
  readonly children: ReactNode
}

export function StateBadge({ icon: Icon, ...props }: StateBadgeProps) {
  return <Badge {...props} variant="filled" autoContrast tt="none" leftSection={<Icon size={12} aria-hidden />} />
}
