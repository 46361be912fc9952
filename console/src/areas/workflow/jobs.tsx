/** Failed jobs of workflows, with a retry. */
import { Button } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useClient } from '../../object/client.tsx'
import { ObjectList } from '../../object/list.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { notifyDone, notifyFailed } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { texts } from './texts.ts'
import { storedText } from '../../object/stored-text.ts'

export function Jobs() {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const { workflow } = useClient()
  const queryClient = useQueryClient()
  const jobs = useQuery({
    queryKey: ['workflow', 'jobs'],
    queryFn: async () => (await workflow.queryJobs({ body: { states: ['failed'] } })).jobs ?? [],
    refetchInterval: 10_000,
  })
  const retry = async (id: number) => {
    try {
      await workflow.retryJobs({ body: { ids: [id] } })
      notifyDone(t('retried'))
    } catch (error) {
      notifyFailed(w('failed'), error)
    }
    await queryClient.invalidateQueries({ queryKey: ['workflow', 'jobs'] })
  }
  return (
    <Loaded query={jobs}>
      {(all) =>
        all.length === 0 ? (
          <Empty icon={IconCircleCheck} title={t('noJobs')} />
        ) : (
          <ObjectList
            label={t('jobs')}
            rows={all}
            keyOf={({ id }) => String(id)}
            columns={[
              { id: 'name', title: w('name'), width: 'minmax(10rem, 1fr)', text: ({ name, job }) => name ?? job ?? '' },
              {
                id: 'problem',
                title: t('problem'),
                width: 'minmax(14rem, 3fr)',
                text: ({ problem = '' }) => storedText(problem),
              },
              { id: 'attempts', title: t('attempts'), width: '7rem', text: ({ attempts = 0 }) => String(attempts) },
              {
                id: 'retry',
                title: w('actions'),
                width: '9rem',
                text: () => '',
                show: ({ id }) => (
                  <Button size="compact-sm" variant="subtle" onClick={() => void retry(Number(id))}>
                    {t('retry')}
                  </Button>
                ),
              },
            ]}
          />
        )
      }
    </Loaded>
  )
}
