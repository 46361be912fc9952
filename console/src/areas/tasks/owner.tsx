/** The assignee of a task, and quiet actions: claim it, release it, hand it over. */
import { ActionIcon, Autocomplete, Button, Group, Menu, Stack, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient, useMe } from '../../object/client.tsx'
import { FormModal } from '../../ui/form-modal.tsx'
import { useTexts } from '../../ui/language.tsx'
import { type Task, useRefusal, useTaskAttempt } from './tasks.ts'
import { texts } from './texts.ts'

export function Owner({ task }: { task: Task }) {
  const t = useTexts(texts)
  const { workflow } = useClient()
  const me = useMe()
  const attempt = useTaskAttempt()
  const [isHandingOver, setHandingOver] = useState(false)
  const refusal = useRefusal(task)
  const ids = [Number(task.id)]
  if (task.state !== 'open') return null
  const isMine = task.assignee === me.name
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="sm" c="dimmed">
        {isMine ? t('withYou') : task.assignee === undefined ? t('withNobody') : t('with', { user: task.assignee })}
      </Text>
      {!refusal && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={t('ownerActions')}>
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {task.assignee === undefined && (
              <Menu.Item onClick={() => void attempt(workflow.claimTasks({ body: { ids } }), t('claimed'))}>
                {t('claim')}
              </Menu.Item>
            )}
            {task.assignee !== undefined && (
              <Menu.Item onClick={() => void attempt(workflow.unclaimTasks({ body: { ids } }), t('released'))}>
                {t('unclaim')}
              </Menu.Item>
            )}
            <Menu.Item onClick={() => setHandingOver(true)}>{t('delegate')}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {isHandingOver && <HandOver task={task} onClose={() => setHandingOver(false)} />}
    </Group>
  )
}

/** Asks to whom. The names of people who may do the task are offered. */
function HandOver({ task, onClose }: { task: Task; onClose: () => void }) {
  const t = useTexts(texts)
  const { workflow } = useClient()
  const attempt = useTaskAttempt()
  const [assignee, setAssignee] = useState('')
  const people = useQuery({
    queryKey: ['tasks', 'people', task.id],
    queryFn: async () => (await workflow.listTaskPeople({ params: { id: String(task.id) } })).users ?? [],
  })
  const handOver = async () => {
    const work = workflow.delegateTasks({ body: { ids: [Number(task.id)], assignee: assignee.trim() } })
    if (await attempt(work, t('delegated', { name: assignee.trim() }))) onClose()
  }
  return (
    <FormModal title={t('delegate')} onSubmit={handOver} onClose={onClose}>
      <Stack>
        <Autocomplete
          label={t('delegateTo')}
          data={people.data ?? []}
          value={assignee}
          onChange={setAssignee}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button type="submit" disabled={assignee.trim() === ''}>
            {t('delegate')}
          </Button>
        </Group>
      </Stack>
    </FormModal>
  )
}
