/**
 * The command palette (Ctrl+K or Cmd+K): finds products, files and channels by name, with pictures and in spite of typing
 * errors; goes to recent objects and to pages; creates; and searches for the typed text.
 */
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight'
import { IconBroadcast, IconHistory, IconPlus, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { linkOptions, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useClient, useMay, useMe } from '../object/client.tsx'
import { useContentLocale } from '../object/locales.ts'
import { matches, type PickerEntry, pickerSources } from '../object/picker-sources.ts'
import { Thumbnail, usePictures } from '../object/pictures.tsx'
import { readRecent, type Visit, visitedKinds } from '../object/recent.ts'
import { useTexts } from '../ui/language.tsx'
import { destinations } from './navigation.tsx'
import { frameTexts, pageNames } from './texts.ts'

/** So many objects of each kind are offered. */
const mostFound = 5

const pageOf = ({ kind, tid }: Pick<Visit, 'kind' | 'tid'>) =>
  kind === 'product'
    ? linkOptions({ to: '/products/$tid', params: { tid } })
    : kind === 'file'
      ? linkOptions({ to: '/assets/$tid', params: { tid } })
      : linkOptions({ to: '/channels', search: { channel: tid } })

export function Palette() {
  const t = useTexts(frameTexts)
  const pageName = useTexts(pageNames)
  const navigate = useNavigate()
  const may = useMay()
  const { id = '' } = useMe()
  const [text, setText] = useState('')
  const found = useFound(text.trim())
  const matches = (label: string) => label.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase())
  const recent: SpotlightActionData[] = readRecent(id)
    .filter(({ name }) => matches(name))
    .map((visit) => ({
      id: `recent ${visit.kind} ${visit.tid}`,
      label: visit.name,
      leftSection: <IconHistory size={20} stroke={1.6} />,
      onClick: () => void navigate(pageOf(visit)),
    }))
  const pages: SpotlightActionData[] = destinations
    .map(({ path, name, icon: Symbol }) => ({
      id: path,
      label: pageName(name),
      leftSection: <Symbol size={20} stroke={1.6} />,
      onClick: () => void navigate({ to: path }),
    }))
    .filter(({ label }) => matches(label))
  const create: SpotlightActionData[] =
    may('create', 'product') && matches(t('newProduct'))
      ? [
          {
            id: 'new product',
            label: t('newProduct'),
            leftSection: <IconPlus size={20} stroke={1.6} />,
            onClick: () => void navigate({ to: '/products', search: { create: 'yes' } }),
          },
        ]
      : []
  const search: SpotlightActionData[] =
    text.trim() === ''
      ? []
      : [
          {
            id: 'search',
            label: t('searchFor', { text }),
            leftSection: <IconSearch size={20} stroke={1.6} />,
            onClick: () => void navigate({ to: '/search', search: { q: text } }),
          },
        ]
  const groups: SpotlightActionGroupData[] = [
    ...(text.trim() === '' ? [{ group: t('recent'), actions: recent }] : []),
    { group: t('pages'), actions: pages },
    { group: t('found'), actions: found },
    ...(text.trim() === '' ? [] : [{ group: t('recent'), actions: recent }]),
    { group: t('actions'), actions: [...create, ...search] },
  ]
  return (
    <Spotlight
      actions={groups.filter(({ actions }) => actions.length > 0)}
      filter={(_text, actions) => actions} // filtered above, because hits also match with typing errors
      query={text}
      onQueryChange={setText}
      shortcut={null} // palette-button.tsx has the keys, which work before this is loaded
      nothingFound={t('paletteNothing')}
      searchProps={{ leftSection: <IconSearch size={18} />, placeholder: t('palette'), 'aria-label': t('palette') }}
      attributes={{ content: { 'aria-label': t('palette') } }}
      scrollable
      maxHeight="70vh"
    />
  )
}

/** Products, files and channels by name. */
function useFound(text: string): SpotlightActionData[] {
  const client = useClient()
  const navigate = useNavigate()
  const [locale] = useContentLocale()
  const [asked] = useDebouncedValue(text, 150)
  const replies = useQueries({
    queries: visitedKinds.map((kind) => ({
      queryKey: ['picker', kind, locale, asked],
      queryFn: () => pickerSources[kind].find(client, asked, locale),
      enabled: asked.length > 1,
      placeholderData: keepPreviousData<readonly PickerEntry[]>,
    })),
  })
  const entries =
    text.length < 2
      ? []
      : visitedKinds.flatMap((kind, i) =>
          (replies[i]!.data ?? [])
            .filter((entry) => (asked === text && !replies[i]!.isPlaceholderData) || matches(entry, text))
            .slice(0, mostFound)
            .map((entry) => ({ kind, ...entry })),
        )
  const pictures = usePictures([entries.flatMap(({ picture }) => picture ?? [])])
  return entries.map(({ kind, value: tid, label, detail, picture }) => ({
    id: `${kind} ${tid}`,
    label,
    ...(detail && { description: detail }),
    leftSection:
      kind === 'project' ? (
        <IconBroadcast size={32} stroke={1.2} />
      ) : (
        <Thumbnail picture={picture ? pictures.get(picture) : undefined} size={32} />
      ),
    onClick: () => void navigate(pageOf({ kind, tid })),
  }))
}
