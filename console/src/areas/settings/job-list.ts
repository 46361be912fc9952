/** Bulk messages, transfers and jobs of workflows as one list of background jobs. */
import type { BulkRunState, Infer, Transfer, WorkflowJob } from '@kontor/contract'

export interface Job {
  /** Kind and id, separated by a space. */
  readonly key: string
  readonly kind: 'bulk' | 'transfer' | 'workflow'
  readonly name: string
  readonly state: string
  readonly done?: number
  readonly total?: number
  readonly user?: string | undefined
  /** The start, which may be in the future. */
  readonly at?: string | undefined
  readonly problem?: string | undefined
  /** The command that continues a job that has stopped. */
  readonly command?: 'retry' | 'resume' | undefined
  readonly canCancel?: boolean
  readonly endedAt?: string | undefined
  readonly attempts?: number | undefined
  /** The page that shows more of it. */
  readonly page?: string
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
      command: state === 'paused' ? ('resume' as const) : undefined,
      canCancel: open.has(state),
      page: `/transfers?transfer=${id}`,
    })),
    ...tasks.map(({ id, name, job = '', state = '', runAt: at, problem, endedAt, attempts, processId }) => ({
      key: `workflow ${id}`,
      kind: 'workflow' as const,
      name: name ?? job,
      state,
      at,
      problem,
      command: state === 'failed' ? ('retry' as const) : undefined,
      endedAt,
      attempts,
      ...(processId !== undefined && { page: `/workflow?process=${processId}` }),
    })),
  ]
  return jobs.toSorted((a, b) => (b.at ?? '').localeCompare(a.at ?? ''))
}
