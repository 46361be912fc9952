/** Marks a file whose content nobody gets: not checked, in quarantine, damaged or in the archive. */
import type { BadgeProps } from '@mantine/core'
import { IconArchive, IconVirus } from '@tabler/icons-react'
import { useTexts } from '../ui/language.tsx'
import { StateBadge } from '../ui/state-badge.tsx'
import { careTexts } from './care-texts.ts'

const colours = {
  unchecked: 'amber.4',
  infected: 'red.9',
  tooLarge: 'amber.4',
  missing: 'red.9',
  damaged: 'red.9',
  unreadable: 'red.9',
  archived: 'blue.9',
} as const

interface ContentBadgeProps extends Pick<BadgeProps, 'size' | 'className'> {
  /** `contentStatus` of the file; absent if its content is available. */
  readonly state: string | undefined
}

export function ContentBadge({ state = 'available', ...props }: ContentBadgeProps) {
  const t = useTexts(careTexts)
  if (!Object.hasOwn(colours, state)) return null
  const known = state as keyof typeof colours
  return (
    <StateBadge {...props} color={colours[known]} icon={known === 'archived' ? IconArchive : IconVirus}>
      {t(known)}
    </StateBadge>
  )
}
