/** /common/runs: the caller's bulk runs, their outcome and progress. */
import type { BulkRunState, common, Infer } from '@kontor/contract'
import * as rows from '../../core/batch/bulk.sql.ts'
import type { RouteHandler } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'

export const listRuns: RouteHandler<typeof common.routes.listRuns> = async ({ db }, { query, caller }) => {
  const { state, all = 'false', count = '20' } = query
  if (all === 'true' && !caller.roles.has('admin'))
    throw new Problem('forbidden', 'all: the bulk messages of everybody are for administrators')
  const user = all === 'true' ? undefined : caller.userName
  const runs = await rows.listRuns(db, { user, open: state === 'open', count: Number(count) })
  return { runs: runs.map(toRun) }
}

const toRun = ({ startedAt, endedAt, ...run }: rows.ListedRun): Infer<typeof BulkRunState> => ({
  ...run,
  state: run.state as 'running',
  startedAt: startedAt.toISOString(),
  ...(endedAt && { endedAt: endedAt.toISOString() }),
})
