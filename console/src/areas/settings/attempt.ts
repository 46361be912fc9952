/** Runs a change of the settings, reports the outcome, and reloads the lists of the page. */
import { useChange } from '../../object/change.ts'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'

/** Resolves to the reply of the server, or to undefined when the change was refused. */
export function useAttempt(): <T>(work: Promise<T>, done?: string) => Promise<T | undefined> {
  const w = useTexts(commonTexts)
  const change = useChange(['settings'])
  return async <T>(work: Promise<T>, done?: string) => {
    let result: T | undefined
    await change(async () => {
      result = await work
      notifyDone(done ?? w('saved'))
    })
    return result
  }
}
