/** Runs a change, tells a refusal, and has every page look up again what may have changed with it. */
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useTexts } from '../ui/language.tsx'
import { tellFailed } from '../ui/tell.tsx'
import { words } from '../ui/words.ts'

export type Change = (work: () => Promise<unknown>) => Promise<boolean>

/** `keys` name what is looked up again, whether the change went through or not: a part of it may have. */
export function useChange(...keys: readonly QueryKey[]): Change {
  const word = useTexts(words)
  const queries = useQueryClient()
  return async (work) => {
    try {
      await work()
      return true
    } catch (error) {
      tellFailed(word('failed'), error)
      return false
    } finally {
      await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })))
    }
  }
}
