/** Marks a file that must not be used, or only because somebody allows it. */
import { type BadgeProps, ThemeIcon } from '@mantine/core'
import { IconCopyrightOff } from '@tabler/icons-react'
import { useTexts } from '../ui/language.tsx'
import { StateBadge } from '../ui/state-badge.tsx'
import { usageTexts } from './usage-texts.ts'

const colours = { expired: 'red.9', notYet: 'amber.4', overridden: 'blue.9' } as const

interface UsageBadgeProps extends Pick<BadgeProps, 'size' | 'className'> {
  /** The state in the usage rights of a file; absent if it has none. */
  readonly state: string | undefined
  /** Only the icon, for small pictures. */
  readonly isIcon?: boolean
}

export function UsageBadge({ state = 'valid', isIcon = false, ...props }: UsageBadgeProps) {
  const t = useTexts(usageTexts)
  if (!Object.hasOwn(colours, state)) return null
  const known = state as keyof typeof colours
  if (isIcon)
    return (
      <ThemeIcon
        color={colours[known]}
        autoContrast
        size={16}
        radius="xl"
        role="img"
        aria-label={t(known)}
        title={t(known)}
      >
        <IconCopyrightOff size={12} aria-hidden />
      </ThemeIcon>
    )
  return (
    <StateBadge {...props} title={t(known)} color={colours[known]} icon={IconCopyrightOff}>
      {t(known)}
    </StateBadge>
  )
}
