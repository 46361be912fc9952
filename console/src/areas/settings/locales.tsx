/** The locales of the installation, and whether each is used for content, for the user interface, or both. */
import { Badge, Group } from '@mantine/core'
import { Locale } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../object/client.tsx'
import { useLabels } from '../../object/labels.ts'
import { ListPage } from '../../object/list-page.tsx'
import { useTexts } from '../../ui/language.tsx'
import { texts } from './texts.ts'

const uses = ['CONTENT', 'FRONTEND'] as const

export function LocalesPart() {
  const t = useTexts(texts)
  const labelOf = useLabels(texts)
  const { common } = useClient()
  const locales = useQuery({
    queryKey: ['locales', 'ALL'],
    queryFn: () => common.locales.retrieve({ mode: 'ALL' }),
  })
  const used = useQuery({
    queryKey: ['locales', 'uses'],
    queryFn: () => Promise.all(uses.map((mode) => common.locales.retrieve({ mode }))),
  })
  const usesOf = (tid: string | undefined) => uses.filter((_, i) => used.data?.[i]?.some((one) => one.tid === tid))
  return (
    <ListPage
      type={Locale}
      label={t('locales')}
      query={locales}
      labelOf={labelOf}
      keyOf={({ tid = '' }) => tid}
      fields={{ tid: { width: '7rem' }, name: { width: 'minmax(12rem, 2fr)' }, id: false }}
      moreColumns={[
        {
          id: 'uses',
          title: t('usedFor'),
          width: '15rem',
          text: ({ tid }) =>
            usesOf(tid)
              .map((use) => t(use))
              .join(' '),
          show: ({ tid }) => (
            <Group gap={4} wrap="nowrap">
              {usesOf(tid).map((use) => (
                <Badge key={use} variant="light" tt="none">
                  {t(use)}
                </Badge>
              ))}
            </Group>
          ),
        },
      ]}
    />
  )
}
