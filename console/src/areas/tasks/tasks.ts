/** Tasks: what pages of this area know of them, and how a reply that refuses becomes an error. */
import type { Infer, WorkflowTask } from '@kontor/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone, notifyFailed } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'

export type Task = Infer<typeof WorkflowTask>

interface Outcome {
  readonly status?: string
  readonly issues?: readonly { readonly description?: string; readonly content?: string }[]
}

/** Where linked objects are shown. */
export const placeOf: Record<string, (tid: string) => string> = {
  product: (tid) => `/products/${encodeURIComponent(tid)}`,
  file: (tid) => `/assets/${encodeURIComponent(tid)}`,
  project: (tid) => `/channels?channel=${encodeURIComponent(tid)}`,
}

export function useTaskAttempt(): (work: Promise<readonly Outcome[]>, done: string) => Promise<boolean> {
  const w = useTexts(commonTexts)
  const queries = useQueryClient()
  return async (work, done) => {
    try {
      const refused = (await work).filter(({ status }) => status !== 'success' && status !== 'SUCCESS')
      const said = refused.flatMap(({ issues = [] }) =>
        issues.map(({ description = '', content }) => [description, content].filter(Boolean).join(': ')),
      )
      if (refused.length > 0) throw new Error(said.join('; ') || w('failed'))
      notifyDone(done)
      return true
    } catch (error) {
      notifyFailed(w('failed'), error)
      return false
    } finally {
      void queries.invalidateQueries({ queryKey: ['tasks'] })
    }
  }
}
