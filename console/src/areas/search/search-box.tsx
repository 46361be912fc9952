/** The search box: suggests values, corrections and recent searches while typing, and searches on Enter. */
import { Autocomplete } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { useTexts } from '../../ui/language.tsx'
import type { Tab } from './state.ts'
import { texts } from './texts.ts'

const maxSuggestions = 8

export function SearchBox({ text, tab, onSearch }: { text: string; tab: Tab; onSearch: (text: string) => void }) {
  const t = useTexts(texts)
  const client = useClient()
  const [typed, setTyped] = useState(text)
  const [open, setOpen] = useState(false)
  useEffect(() => setTyped(text), [text])
  const [debounced] = useDebouncedValue(typed.trim(), 80)
  const { data = { recent: [], completions: [], meant: [] } } = useQuery({
    queryKey: ['search', 'suggest', tab, debounced],
    queryFn: async () => {
      const recent = client.search.queryHistory({ body: { text: debounced, context: 'console', count: 4 } })
      const ahead =
        debounced.length > 1
          ? client.search.typeAhead({ body: { index: tab, text: debounced, count: maxSuggestions } })
          : undefined
      const { suggestions = [], corrections = [] } = (await ahead) ?? {}
      return { recent: (await recent).histories ?? [], completions: suggestions, meant: corrections.slice(0, 3) }
    },
    placeholderData: (last) => last,
    staleTime: 5000,
  })
  const fresh = unique([data.completions, data.meant, data.recent])
  const groups = [
    { group: t('suggestions'), items: fresh[0]! },
    { group: t('didYouMean'), items: fresh[1]! },
    { group: t('history'), items: fresh[2]! },
  ].filter(({ items }) => items.length > 0)
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        setOpen(false)
        onSearch(typed.trim())
      }}
    >
      <Autocomplete
        size="md"
        aria-label={t('box')}
        placeholder={t('box')}
        leftSection={<IconSearch size={18} />}
        value={typed}
        onChange={(value) => {
          setTyped(value)
          setOpen(true)
        }}
        onOptionSubmit={(value) => {
          setOpen(false)
          onSearch(value)
        }}
        dropdownOpened={open}
        onDropdownClose={() => setOpen(false)}
        onBlur={() => setOpen(false)}
        data={groups}
        filter={({ options }) => options}
        selectFirstOptionOnChange={false}
        autoFocus={text === ''}
        clearable
      />
    </form>
  )
}

/** Removes texts that occur in an earlier list. */
function unique(lists: readonly (readonly string[])[]): string[][] {
  const known = new Set<string>()
  return lists.map((list) => list.filter((text) => !known.has(text) && known.add(text)))
}
