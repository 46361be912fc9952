/** A notice on every page while the tab has the rights of somebody else. */
import { Alert, Button, Group } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useTexts } from '../ui/language.tsx'
import { frameTexts } from './texts.ts'
import { stopViewing, viewed } from './view-as.ts'

export function ViewNotice() {
  const t = useTexts(frameTexts)
  const view = viewed()
  if (!view) return null
  return (
    <Alert role="status" color="amber" variant="light" radius={0} p="xs" icon={<IconEye size={18} />}>
      <Group justify="space-between" gap="xs">
        <span>{t('viewingAs', { name: view.name })}</span>
        <Button size="compact-sm" variant="default" onClick={stopViewing}>
          {t('stopViewing')}
        </Button>
      </Group>
    </Alert>
  )
}
