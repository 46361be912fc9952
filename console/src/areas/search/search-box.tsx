/** The box: suggests while one types (values, searches of before, corrections) and searches on Enter. */
import { Autocomplete } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { useTexts } from '../../ui/language.tsx'
import type { Tab } from './state.ts'
import { texts } from './texts.ts'

const most = 8

export function SearchBox({ text, tab, onSearch }: { text: string; tab: Tab; onSearch: (text: string) => void }) {
  const t = useTexts(texts)
  const client = useClient()
  const [typed, setTyped] = useState(text)
  const [open, setOpen] = useState(false)
  useEffect(() => setTyped(text), [text])
  const [wanted] = useDebouncedValue(typed.trim(), 80)
  const { data = { before: [], suggested: [], meant: [] } } = useQuery({
    queryKey: ['search', 'suggest', tab, wanted],
    queryFn: async () => {
      const before = client.search.queryHistory({ body: { text: wanted, context: 'console', count: 4 } })
      const ahead =
        wanted.length > 1 ? client.search.typeAhead({ body: { index: tab, text: wanted, count: most } }) : undefined
      const { suggestions = [], corrections = [] } = (await ahead) ?? {}
      return { before: (await before).histories ?? [], suggested: suggestions, meant: corrections.slice(0, 3) }
    },
    placeholderData: (last) => last,
    staleTime: 5000,
  })
  const fresh = unique([data.suggested, data.meant, data.before])
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

/** Each text once, where it comes first. */
function unique(lists: readonly (readonly string[])[]): string[][] {
  const seen = new Set<string>()
  return lists.map((list) => list.filter((text) => !seen.has(text) && seen.add(text)))
}
