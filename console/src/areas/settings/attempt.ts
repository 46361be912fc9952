/** Runs a change, tells how it went, and has the page look again. */
import { useQueryClient } from '@tanstack/react-query'
import { useTexts } from '../../ui/language.tsx'
import { tellDone, tellFailed } from '../../ui/tell.tsx'
import { words } from '../../ui/words.ts'

export function useAttempt(): <T>(work: Promise<T>, done?: string) => Promise<T | undefined> {
  const w = useTexts(words)
  const queries = useQueryClient()
  return async (work, done) => {
    try {
      const result = await work
      tellDone(done ?? w('saved'))
      return result
    } catch (error) {
      tellFailed(w('failed'), error)
      return undefined
    } finally {
      void queries.invalidateQueries({ queryKey: ['settings'] })
    }
  }
}
