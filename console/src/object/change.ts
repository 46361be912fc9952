/** Runs a change, reports a refusal, and reloads the data that the change may have affected. */
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useTexts } from '../ui/language.tsx'
import { notifyFailed } from '../ui/notifications.tsx'
import { commonTexts } from '../ui/common-texts.ts'

export type Change = (work: () => Promise<unknown>) => Promise<boolean>

/** Reloads the queries under `keys` also after a refusal, because a part of the change may have been stored. */
export function useChange(...keys: readonly QueryKey[]): Change {
  const word = useTexts(commonTexts)
  const queries = useQueryClient()
  return async (work) => {
    try {
      await work()
      return true
    } catch (error) {
      notifyFailed(word('failed'), error)
      return false
    } finally {
      await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })))
    }
  }
}
