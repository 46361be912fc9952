/** The languages of the installation, and what each is for. */
import { Badge, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../object/client.tsx'
import { ObjectList } from '../../object/list.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { words } from '../../ui/words.ts'
import { texts } from './texts.ts'

const uses = ['CONTENT', 'FRONTEND'] as const

export function LocalesPart() {
  const t = useTexts(texts)
  const w = useTexts(words)
  const { common } = useClient()
  const locales = useQuery({
    queryKey: ['locales', 'uses'],
    queryFn: async () => {
      const [all, ...used] = await Promise.all(
        ['ALL' as const, ...uses].map((mode) => common.locales.retrieve({ mode })),
      )
      return all!.map((locale) => ({
        ...locale,
        uses: uses.filter((_, i) => used[i]!.some(({ tid }) => tid === locale.tid)),
      }))
    },
  })
  return (
    <Loaded query={locales}>
      {(all) => (
        <ObjectList
          label={t('locales')}
          rows={all}
          keyOf={({ tid = '' }) => tid}
          columns={[
            { id: 'tid', title: 'tid', width: '7rem', text: ({ tid = '' }) => tid },
            { id: 'name', title: w('name'), width: 'minmax(12rem, 2fr)', text: ({ name = '' }) => name },
            { id: 'language', title: t('language'), width: '7rem', text: ({ language = '' }) => language },
            { id: 'country', title: t('country'), width: '7rem', text: ({ country = '' }) => country },
            {
              id: 'uses',
              title: t('usedFor'),
              width: '15rem',
              text: (locale) => locale.uses.map((use) => t(use)).join(' '),
              show: (locale) => (
                <Group gap={4} wrap="nowrap">
                  {locale.uses.map((use) => (
                    <Badge key={use} variant="light" tt="none">
                      {t(use)}
                    </Badge>
                  ))}
                </Group>
              ),
            },
          ]}
        />
      )}
    </Loaded>
  )
}
