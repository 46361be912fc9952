/** Shows who else has the same object open, and tells them that you have. */
import { Avatar, Tooltip } from '@mantine/core'
import type { Infer, PresenceRequest } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { defineTexts, useTexts } from '../ui/language.tsx'
import { useClient } from './client.tsx'

export const texts = defineTexts('presence', {
  open: '{name} has this open',
  editing: '{name} is editing this',
  others: 'Also here',
})

interface PresenceProps extends Pick<Infer<typeof PresenceRequest>, 'dataType' | 'tid'> {
  /** Whether there are unsaved changes. */
  readonly editing: boolean
}

export function Presence({ dataType, tid, editing }: PresenceProps) {
  const t = useTexts(texts)
  const { presence } = useClient()
  const { data = [] } = useQuery({
    queryKey: ['presence', dataType, tid, editing],
    queryFn: async () => (await presence.announce({ body: { dataType, tid, editing } })).users ?? [],
    refetchInterval: 15_000,
    gcTime: 0,
    retry: false,
  })
  useEffect(
    () => () => void presence.announce({ body: { dataType, tid, leave: true } }).catch(() => {}), // otherwise by age
    [presence, dataType, tid],
  )
  if (data.length === 0) return null
  return (
    <Avatar.Group role="group" aria-label={t('others')}>
      {data.map(({ user = '', displayName = user, editing: isEditing }) => {
        const label = t(isEditing ? 'editing' : 'open', { name: displayName })
        return (
          <Tooltip key={user} label={label}>
            <Avatar
              size="sm"
              radius="xl"
              color={isEditing ? 'amber' : 'harbour'}
              name={displayName}
              alt={label}
              role="img"
              aria-label={label}
            />
          </Tooltip>
        )
      })}
    </Avatar.Group>
  )
}
