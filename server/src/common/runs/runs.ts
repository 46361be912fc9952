/** /common/runs: the caller's bulk runs, their outcome and progress. */
import type { BulkRunState, common, Infer } from '@kontor/contract'
import * as rows from '../../core/batch/bulk.sql.ts'
import { cut, demandLast } from '../../core/batch/paging.ts'
import type { RouteHandler } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const listRuns: RouteHandler<typeof common.routes.listRuns> = async ({ db }, { query, caller, continues }) => {
  const { state, all = 'false', after, count = '20' } = query
  if (all === 'true' && !caller.roles.has('admin'))
    throw new Problem('forbidden', 'all: the bulk messages of everybody are for administrators')
  const user = all === 'true' ? undefined : caller.userName
  await demandLast(after, async (id) => {
    const run = isUuid.test(id) ? await rows.findRun(db, id) : undefined
    if (!run) throw new Problem('notFound', 'no such run')
  })
  const page = { count: Number(count), continues }
  const runs = await rows.listRuns(db, { user, open: state === 'open', after, count: page.count })
  return { runs: cut(page, runs).map(toRun) }
}

const toRun = ({ startedAt, endedAt, ...run }: rows.ListedRun): Infer<typeof BulkRunState> => ({
  ...run,
  state: run.state as 'running',
  startedAt: startedAt.toISOString(),
  ...(endedAt && { endedAt: endedAt.toISOString() }),
})
