/** Runs a change of the settings, reports the outcome, and reloads the lists of the page. */
import { useChange } from '../../object/change.ts'
import { useTexts } from '../../ui/language.tsx'
import { tellDone } from '../../ui/tell.tsx'
import { words } from '../../ui/words.ts'

/** Resolves to the reply of the server, or to undefined when the change was refused. */
export function useAttempt(): <T>(work: Promise<T>, done?: string) => Promise<T | undefined> {
  const w = useTexts(words)
  const change = useChange(['settings'])
  return async <T>(work: Promise<T>, done?: string) => {
    let result: T | undefined
    await change(async () => {
      result = await work
      tellDone(done ?? w('saved'))
    })
    return result
  }
}
