/** The history of an asset, latest first. */
import { Text, Timeline } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../../object/client.tsx'
import { fact } from '../../../object/items.ts'
import { useFormat } from '../../../ui/format.ts'
import { useTexts } from '../../../ui/language.tsx'
import { Empty, Loaded } from '../../../ui/states.tsx'
import type { AssetMessage } from '../assets.ts'
import { texts } from '../detail-texts.ts'

export function HistoryTab({ asset }: { asset: AssetMessage }) {
  const t = useTexts(texts)
  const { dam } = useClient()
  const format = useFormat()
  const history = useQuery({
    queryKey: ['assets', 'history', asset.tid],
    queryFn: async () => {
      const [found] = await dam.assets.retrieve({ tids: [asset.tid!], retrieveHistory: true })
      return (found?.histories?.history ?? []).toSorted((a, b) =>
        (fact(b, 'date') ?? '').localeCompare(fact(a, 'date') ?? ''),
      )
    },
  })
  return (
    <Loaded query={history}>
      {(events) =>
        events.length === 0 ? (
          <Empty icon={IconClock} title={t('historyNone')} />
        ) : (
          <Timeline bulletSize={14} lineWidth={2}>
            {events.map((event) => {
              const [before, after] = [fact(event, 'oldValue'), fact(event, 'newValue')]
              return (
                <Timeline.Item key={event.id} title={fact(event, 'action')}>
                  <Text size="xs" c="dimmed">
                    {format.dateTime(fact(event, 'date') ?? new Date())} · {fact(event, 'user')}
                  </Text>
                  {fact(event, 'comment') && <Text size="sm">{fact(event, 'comment')}</Text>}
                  {(before || after) && <Text size="sm">{[before, after].filter(Boolean).join(' → ')}</Text>}
                </Timeline.Item>
              )
            })}
          </Timeline>
        )
      }
    </Loaded>
  )
}
