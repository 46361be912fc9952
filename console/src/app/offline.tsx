/** A notice on every page while the browser has no connection. */
import { Alert } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { IconWifiOff } from '@tabler/icons-react'
import { useTexts } from '../ui/language.tsx'
import { frameTexts } from './texts.ts'

export function OfflineNotice() {
  const t = useTexts(frameTexts)
  const { online } = useNetwork()
  if (online) return null
  return (
    <Alert role="status" color="amber" variant="light" radius={0} p="xs" icon={<IconWifiOff size={18} />}>
      {t('offline')}
    </Alert>
  )
}
