/** Chooses the content language, in the bar of every page. */
import { Select, Tooltip } from '@mantine/core'
import { IconLanguage } from '@tabler/icons-react'
import { useContentLocale, useContentLocales, useLocaleName } from '../object/locales.ts'
import { commonTexts } from '../ui/common-texts.ts'
import { useTexts } from '../ui/language.tsx'

export function LocaleChoice() {
  const t = useTexts(commonTexts)
  const locales = useContentLocales()
  const nameOf = useLocaleName()
  const [locale, choose] = useContentLocale()
  return (
    <Tooltip label={t('locale')}>
      <Select
        aria-label={t('locale')}
        leftSection={<IconLanguage size={16} aria-hidden />}
        data={locales.map(({ tid }) => ({ value: tid, label: nameOf(tid) }))}
        value={locale}
        onChange={(chosen) => chosen && choose(chosen)}
        allowDeselect={false}
        w={215}
        size="xs"
        checkIconPosition="right"
      />
    </Tooltip>
  )
}
