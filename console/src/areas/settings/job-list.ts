/** Three kinds of work that go on behind the scenes, as one list. */
import type { BulkRunState, Infer, Transfer, WorkflowJob } from '@kontor/contract'

export interface Job {
  /** Its kind and id. */
  readonly key: string
  readonly kind: 'bulk' | 'transfer' | 'workflow'
  readonly name: string
  readonly state: string
  readonly done?: number
  readonly total?: number
  readonly user?: string | undefined
  /** When it began, or will. */
  readonly at?: string | undefined
  readonly problem?: string | undefined
  /** What makes it go on. */
  readonly again?: 'retry' | 'resume' | undefined
}

const open = new Set(['waiting', 'running', 'received', 'validating', 'validated', 'paused'])
export const isOpen = ({ state }: Job): boolean => open.has(state)

/** Newest first. */
export function toJobs(
  runs: readonly Infer<typeof BulkRunState>[],
  transfers: readonly Infer<typeof Transfer>[],
  tasks: readonly Infer<typeof WorkflowJob>[],
): Job[] {
  const jobs: Job[] = [
    ...runs.map(({ id, resource = '', state = '', processed, total, user, startedAt: at }) => ({
      key: `bulk ${id}`,
      kind: 'bulk' as const,
      name: resource.replace(/^\/api\/core\/v1\//, ''),
      state,
      done: Number(processed ?? 0),
      total: Number(total ?? 0),
      user,
      at,
    })),
    ...transfers.map(({ id, name = '', state = '', share = 0, user, createdAt: at, problem }) => ({
      key: `transfer ${id}`,
      kind: 'transfer' as const,
      name,
      state,
      done: share,
      total: 1,
      user,
      at,
      problem,
      again: state === 'paused' ? ('resume' as const) : undefined,
    })),
    ...tasks.map(({ id, name, job = '', state = '', runAt: at, problem }) => ({
      key: `workflow ${id}`,
      kind: 'workflow' as const,
      name: name ?? job,
      state,
      at,
      problem,
      again: state === 'failed' ? ('retry' as const) : undefined,
    })),
  ]
  return jobs.toSorted((a, b) => (b.at ?? '').localeCompare(a.at ?? ''))
}
