/** The page for a URL that no route matches. */
import { Button } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../ui/language.tsx'
import { Page } from '../ui/page.tsx'
import { Empty } from '../ui/states.tsx'
import { frameTexts } from './texts.ts'

export function NotFound() {
  const t = useTexts(frameTexts)
  return (
    <Page title={t('notFound')}>
      <Empty
        icon={IconMapOff}
        title={t('notFound')}
        action={<Button renderRoot={(props) => <Link to="/" {...props} />}>{t('toHome')}</Button>}
      >
        {t('notFoundHint')}
      </Empty>
    </Page>
  )
}
