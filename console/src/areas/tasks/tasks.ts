/** Shared by the task pages: the page of a linked object, and actions on tasks with notifications. */
import type { Infer, WorkflowTask } from '@kontor/contract'
import { useQueryClient } from '@tanstack/react-query'
import { linkOptions } from '@tanstack/react-router'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone, notifyFailed } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'

export type Task = Infer<typeof WorkflowTask>

interface Outcome {
  readonly status?: string
  readonly issues?: readonly { readonly description?: string; readonly content?: string }[]
}

/** The page of a linked object, where the console has one. */
export function pageOf(type: string, tid: string) {
  switch (type) {
    case 'product':
      return linkOptions({ to: '/products/$tid', params: { tid } })
    case 'file':
      return linkOptions({ to: '/assets/$tid', params: { tid } })
    case 'project':
      return linkOptions({ to: '/channels', search: { channel: tid } })
    default:
      return undefined
  }
}

/** Waits for an action on tasks and notifies the user. True when the server refused none of them. */
export function useTaskAttempt(): (work: Promise<readonly Outcome[]>, done: string) => Promise<boolean> {
  const w = useTexts(commonTexts)
  const queryClient = useQueryClient()
  return async (work, done) => {
    try {
      const refused = (await work).filter(({ status }) => status !== 'success' && status !== 'SUCCESS')
      const reasons = refused.flatMap(({ issues = [] }) =>
        issues.map(({ description = '', content }) => [description, content].filter(Boolean).join(': ')),
      )
      if (refused.length > 0) throw new Error(reasons.join('; ') || w('failed'))
      notifyDone(done)
      return true
    } catch (error) {
      notifyFailed(w('failed'), error)
      return false
    } finally {
      void queryClient.invalidateQueries({ queryKey: ['tasks'] })
    }
  }
}
