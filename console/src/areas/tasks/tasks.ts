/** Shared by the task pages: the list, who may act on a task, and actions with notifications. */
import type { Infer, WorkflowTask } from '@kontor/contract'
import type { Client } from '@kontor/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useClient, useMay, useMe } from '../../object/client.tsx'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone, notifyFailed } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'

export type Task = Infer<typeof WorkflowTask>
export const scopes = ['inbox', 'mine', 'candidate', 'all'] as const
export type Scope = (typeof scopes)[number]
export const scopeIn = (text: string | undefined): Scope => scopes.find((one) => one === text) ?? 'inbox'

/** Open tasks, those that are due first. Pages and the way to the next task share it. */
export const taskListQuery = ({ workflow }: Client, scope: Scope) => ({
  queryKey: ['tasks', 'list', scope],
  queryFn: async () => {
    const body = { scope, states: ['open' as const], sort: 'dueDate' as const, count: 500 }
    const { tasks = [], total = tasks.length } = await workflow.queryTasks({ body })
    return { tasks, total: Number(total) }
  },
})
export const useTaskList = (scope: Scope) => useQuery({ ...taskListQuery(useClient(), scope), refetchInterval: 15_000 })

/** The tasks that are left after one was completed, from the server. */
export function useOthers(scope: Scope) {
  const queryClient = useQueryClient()
  const query = taskListQuery(useClient(), scope)
  return async (id: Task['id']) => {
    const { tasks, total } = await queryClient.fetchQuery({ ...query, staleTime: 0 })
    const others = tasks.filter((one) => one.id !== id)
    return { next: others[0], count: total - (tasks.length - others.length) }
  }
}

/** Why the signed-in user may not complete or hand over a task; undefined if they may. */
export type Refusal = 'ended' | 'readOnly' | 'assigned' | 'forOthers'

export function useRefusal(task: Task): Refusal | undefined {
  const { name = '', roles = [] } = useMe()
  const may = useMay()
  const { state, assignee, candidateUsers = [], candidateRoles = [] } = task
  if (state !== 'open') return 'ended'
  if (!may('update', 'workflow')) return 'readOnly'
  if (roles.includes('admin') || assignee === name) return undefined
  if (assignee !== undefined) return 'assigned'
  const isCandidate = candidateUsers.includes(name) || candidateRoles.some((role) => roles.includes(role))
  return isCandidate ? undefined : 'forOthers'
}

interface Outcome {
  readonly status?: string
  readonly issues?: readonly { readonly description?: string; readonly content?: string }[]
}

/** Waits for an action on tasks and notifies the user. True when the server refused none of them. */
export function useTaskAttempt(): (work: Promise<readonly Outcome[]>, done?: string) => Promise<boolean> {
  const w = useTexts(commonTexts)
  const queryClient = useQueryClient()
  return async (work, done) => {
    try {
      const refused = (await work).filter(({ status }) => status !== 'success')
      const reasons = refused.flatMap(({ issues = [] }) =>
        issues.map(({ description = '', content }) => [description, content].filter(Boolean).join(': ')),
      )
      if (refused.length > 0) throw new Error(reasons.join('; ') || w('failed'))
      if (done !== undefined) notifyDone(done)
      return true
    } catch (error) {
      notifyFailed(w('failed'), error)
      return false
    } finally {
      void queryClient.invalidateQueries({ queryKey: ['tasks'] })
    }
  }
}
