/** /common/runs: the caller's bulk runs, their outcome and progress. */
import type { BulkRunState, common, Infer } from '@kontor/contract'
import * as rows from '../../core/batch/bulk.sql.ts'
import type { RouteHandler } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'

const most = 200

export const listRuns: RouteHandler<typeof common.routes.listRuns> = async ({ db }, { query, caller }) => {
  const { state, all = 'false', count = '20' } = query
  if (state !== undefined && state !== 'open') throw new Problem('invalid', 'state: expected open, or nothing')
  if (!/^\d{1,3}$/.test(count) || Number(count) < 1 || Number(count) > most)
    throw new Problem('invalid', `count: expected 1 to ${most}`)
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
