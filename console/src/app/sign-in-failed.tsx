/** The page of a console that cannot sign its user in: it says why, and tries again on request. */
import '@mantine/core/styles.css'
import './app.css'
import { Button, MantineProvider } from '@mantine/core'
import { IconLockX } from '@tabler/icons-react'
import { type Language, LanguageProvider, useTexts } from '../ui/language.tsx'
import { Empty } from '../ui/states.tsx'
import { surfaces, theme } from '../ui/theme.ts'
import { loadLanguage } from './languages.ts'
import { SignInFailure, signInTexts } from './sign-in-failure.ts'

export const SignInFailed = ({ error, language }: { error: unknown; language: Language }) => (
  <MantineProvider theme={theme} cssVariablesResolver={surfaces} defaultColorScheme="auto">
    <LanguageProvider first={language} load={loadLanguage}>
      <main>
        <Reason error={error} />
      </main>
    </LanguageProvider>
  </MantineProvider>
)

function Reason({ error }: { error: unknown }) {
  const t = useTexts(signInTexts)
  const retry = () => location.replace(location.pathname === '/signed-in' ? '/' : location.href)
  return (
    <Empty icon={IconLockX} title={t('title')} action={<Button onClick={retry}>{t('retry')}</Button>}>
      {error instanceof SignInFailure
        ? t(error.reason, error.fillings)
        : t('other', { why: error instanceof Error ? error.message : String(error) })}
    </Empty>
  )
}
