/**
 * Searches that people keep on the server. With each goes the place it was made at, so that opening it leads back there:
 * views of the product list are stored searches too, and exports and other programs can use them.
 */
import type { Infer, Search } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { tellDone } from '../ui/tell.tsx'
import type { PlaceFields } from '../ui/place.ts'
import { useChange } from './change.ts'
import { useClient } from './client.tsx'

type SearchMessage = Infer<typeof Search>
export interface StoredPlace {
  /** The page, where it is not that of the search. */
  readonly to?: string
  readonly fields: PlaceFields
}

const key = ['search', 'stored']

/** `index` narrows the list. */
export function useStoredSearches(index?: 'PRODUCT') {
  const { search } = useClient()
  const change = useChange(key)
  const { data: entries = [] } = useQuery({
    queryKey: [...key, index],
    queryFn: async () => (await search.listStoredSearches(index && { query: { index } })).storedSearchEntries ?? [],
  })
  return {
    entries: entries.map(({ id, name = '' }) => ({ id: String(id), name })),
    /** One of the same name is replaced. */
    store: (name: string, searchObject: SearchMessage, { to, fields }: StoredPlace, done: string) =>
      change(async () => {
        const body = { name, searchObject: { ...searchObject, customProperty: JSON.stringify({ ...fields, to }) } }
        const known = entries.find((entry) => entry.name === name)
        if (known) await search.changeStoredSearch({ params: { id: String(known.id) }, body })
        else await search.storeSearch({ body })
        tellDone(done)
      }),
    remove: (id: string) => change(() => search.deleteStoredSearch({ params: { id } })),
    open: async (id: string) => toPlace(await search.getStoredSearch({ params: { id } })),
  }
}

/** One that was stored elsewhere has no place; its words and its index make one. */
export function toPlace({ customProperty, context, query }: SearchMessage): StoredPlace {
  try {
    if (customProperty) {
      const { to, ...fields } = JSON.parse(customProperty) as PlaceFields & { to?: string }
      return { fields, ...(to?.startsWith('/') && { to }) }
    }
  } catch {
    // stored by another program, for a purpose of its own
  }
  const q = query?.queryType === 'FULLTEXT' ? String(query.value ?? '') : ''
  return { fields: { q, index: context?.index ?? '' } }
}
