/**
 * Searches that are stored on the server, each with the page address it was made at, so that opening it leads back there.
 * Views of the product list are stored searches too; exports and other programs can use them.
 */
import type { Infer, Search } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { notifyDone } from '../ui/notifications.tsx'
import type { UrlState } from '../ui/url-state.ts'
import { useChange } from './change.ts'
import { useClient } from './client.tsx'

type SearchMessage = Infer<typeof Search>
export interface StoredPlace {
  /** The path of the page, unless it is the search page. */
  readonly to?: string
  readonly fields: UrlState
}

export const frequencies = ['never', 'atOnce', 'daily'] as const
export type Frequency = (typeof frequencies)[number]
const off: Frequency = 'never'

const key = ['search', 'stored']

/** `index` limits the list to searches of one index. */
export function useStoredSearches(index?: 'PRODUCT' | 'ASSET') {
  const { search } = useClient()
  const change = useChange(key)
  const { data: entries = [] } = useQuery({
    queryKey: [...key, index],
    queryFn: async () => (await search.listStoredSearches(index && { query: { index } })).storedSearchEntries ?? [],
  })
  return {
    entries: entries.map(({ id, name = '', notify }) => ({
      id: String(id),
      name,
      notify: notify ?? off,
    })),
    /** Replaces a stored search of the same name. */
    store: (name: string, searchObject: SearchMessage, { to, fields }: StoredPlace, done: string) =>
      change(async () => {
        const body = { name, searchObject: { ...searchObject, customProperty: JSON.stringify({ ...fields, to }) } }
        const known = entries.find((entry) => entry.name === name)
        if (known) await search.changeStoredSearch({ params: { id: String(known.id) }, body })
        else await search.storeSearch({ body })
        notifyDone(done)
      }),
    /** Whether the user gets a message when something new matches, and how soon. */
    setNotify: (id: string, notify: Frequency, done: string) =>
      change(async () => {
        await search.changeStoredSearch({ params: { id }, body: { notify } })
        notifyDone(done)
      }),
    remove: (id: string) => change(() => search.deleteStoredSearch({ params: { id } })),
    open: async (id: string) => toPlace(await search.getStoredSearch({ params: { id } })),
  }
}

/** A search stored by another program has no address; its text and its index make one. */
export function toPlace({ customProperty, context, query }: SearchMessage): StoredPlace {
  try {
    if (customProperty) {
      const { to, ...fields } = JSON.parse(customProperty) as UrlState & { to?: string }
      return { fields, ...(to?.startsWith('/') && { to }) }
    }
  } catch {
    // a property of another program
  }
  const q = query?.queryType === 'FULLTEXT' ? String(query.value ?? '') : ''
  return { fields: { q, index: context?.index ?? '' } }
}
