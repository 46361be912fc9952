/** The glossaries with their entries, and what changes them. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useClient } from '../../object/client.tsx'
import { useTexts } from '../../ui/language.tsx'
import { tellFailed } from '../../ui/tell.tsx'
import { words } from '../../ui/words.ts'
import { toEntry } from './entry.ts'

export interface GlossaryRow {
  readonly tid: string
  readonly name: string
}

export function useGlossaries() {
  const { common } = useClient()
  return useQuery({
    queryKey: ['glossaries', 'list'],
    queryFn: async (): Promise<GlossaryRow[]> =>
      (await common.glossaries.retrieve({}))
        .map(({ tid = '', name = tid }) => ({ tid, name }))
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

/** Runs a change and looks the glossaries up again; a refusal is told. */
export function useGlossaryChange() {
  const word = useTexts(words)
  const queries = useQueryClient()
  return async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work()
      return true
    } catch (error) {
      tellFailed(word('failed'), error)
      return false
    } finally {
      await queries.invalidateQueries({ queryKey: ['glossaries'] })
    }
  }
}
