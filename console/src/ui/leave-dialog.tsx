/** Asks before a page with unsaved changes is left. The changes stay in the browser as a draft unless they are discarded. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { commonTexts } from './common-texts.ts'
import { useTexts } from './language.tsx'

interface LeaveDialogProps {
  readonly isChanged: boolean
  readonly onDiscard: () => void
}

export function LeaveDialog({ isChanged, onDiscard }: LeaveDialogProps) {
  const t = useTexts(commonTexts)
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: false, // the draft survives
    withResolver: true,
  })
  if (status !== 'blocked') return null
  const discard = () => {
    onDiscard()
    proceed()
  }
  return (
    <Modal opened onClose={reset} title={t('leaveTitle')} closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack>
        <Text size="sm">{t('leaveBody')}</Text>
        <Group justify="flex-end">
          <Button variant="light" color="red" mr="auto" onClick={discard}>
            {t('leaveDiscard')}
          </Button>
          <Button variant="default" onClick={reset}>
            {t('stay')}
          </Button>
          <Button data-autofocus onClick={proceed}>
            {t('leaveKeep')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
