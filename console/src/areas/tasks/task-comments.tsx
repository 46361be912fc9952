/** The comments of a task. */
import { Button, Paper, Stack, Text, Textarea, Title } from '@mantine/core'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { type Task, useTaskAttempt } from './tasks.ts'
import { texts } from './texts.ts'

export function Comments({ task }: { task: Task }) {
  const t = useTexts(texts)
  const format = useFormat()
  const { workflow } = useClient()
  const attempt = useTaskAttempt()
  const [text, setText] = useState('')
  const add = async () => {
    const work = workflow
      .commentTask({ params: { id: String(task.id) }, body: { text } })
      .then(() => [{ status: 'success' }])
    if (await attempt(work, t('commentAdded'))) setText('')
  }
  return (
    <Stack gap="xs">
      <Title order={2}>{t('comments')}</Title>
      {(task.comments ?? []).map(({ at, user, text: comment }, i) => (
        <Paper key={i} p="xs">
          <Text size="xs" c="dimmed">
            {user} · {at && format.ago(at)}
          </Text>
          <Text size="sm">{comment}</Text>
        </Paper>
      ))}
      <Textarea
        aria-label={t('comments')}
        autosize
        minRows={1}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button variant="light" disabled={text.trim() === ''} onClick={() => void add()}>
        {t('addComment')}
      </Button>
    </Stack>
  )
}
