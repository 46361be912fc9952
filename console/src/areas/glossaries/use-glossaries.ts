/** Queries of the glossaries and of their entries. */
import { useQuery } from '@tanstack/react-query'
import { useChange } from '../../object/change.ts'
import { useClient } from '../../object/client.tsx'
import { fact } from '../../object/items.ts'
import { toEntry } from '../../object/glossary-entry.ts'

export interface GlossaryRow {
  readonly tid: string
  readonly name: string
  readonly enforcement: string
}

export function useGlossaries() {
  const { common } = useClient()
  return useQuery({
    queryKey: ['glossaries', 'list'],
    queryFn: async (): Promise<GlossaryRow[]> =>
      (await common.glossaries.retrieve({}))
        .map(({ tid = '', name = tid, meta }) => ({ tid, name, enforcement: fact({ meta }, 'enforcement') ?? 'off' }))
        .toSorted((a, b) => a.name.localeCompare(b.name)),
  })
}

export function useEntries({ name }: GlossaryRow) {
  const { common } = useClient()
  return useQuery({
    queryKey: ['glossaries', 'entries', name],
    queryFn: async () => {
      const message = await common.glossaries.retrieveMessage({ names: [name], retrieveEntries: true })
      return (message.glossaryEntries?.glossaryEntry ?? []).map(toEntry)
    },
  })
}

export const useGlossaryChange = () => useChange(['glossaries'])
