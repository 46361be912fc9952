/** Saved views: the URL state of the product list under a name, stored on the server as a stored search. */
import { Button, Group, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { StoredList } from '../../object/stored-list.tsx'
import { type StoredPlace, useStoredSearches } from '../../object/stored-searches.ts'
import { useTexts } from '../../ui/language.tsx'
import type { UrlState } from '../../ui/url-state.ts'
import { commonTexts } from '../../ui/common-texts.ts'
import { queryOf } from './facet-search.ts'
import type { ProductFilter } from './list.ts'
import { texts } from './texts.ts'

const viewFields = ['node', 'q', 'f', 'sort', 'columns'] as const

interface ViewsProps {
  readonly fields: UrlState
  readonly changeView: (changed: Record<string, string | undefined>) => void
  readonly filter: ProductFilter
}

export function Views({ fields, changeView, filter }: ViewsProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const navigate = useNavigate()
  const views = useStoredSearches('PRODUCT')
  const [name, setName] = useState('')
  const only = (from: UrlState) => Object.fromEntries(viewFields.map((field) => [field, from[field]]))
  const save = async () => {
    const search = { context: { searchType: 'INDEX', index: 'PRODUCT' }, query: queryOf(filter) } as const
    const saved = await views.store(name.trim(), search, { to: '/products', fields: only(fields) }, word('saved'))
    if (saved) setName('')
  }
  const open = ({ to, fields: saved }: StoredPlace) => {
    if (to === '/products') changeView(only(saved))
    else void navigate({ to: '/search', search: saved })
  }
  return (
    <StoredList label={t('views')} none={t('noViews')} stored={views} onOpen={open}>
      <Group gap="xs" wrap="nowrap">
        <TextInput
          size="xs"
          flex={1}
          aria-label={t('viewName')}
          placeholder={t('viewName')}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button size="xs" disabled={name.trim() === ''} onClick={() => void save()}>
          {word('save')}
        </Button>
      </Group>
    </StoredList>
  )
}
