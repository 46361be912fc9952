/** The reports of passes over all stored files, for administrators. */
import type { care as contract } from '@kontor/contract'
import { inBatch, type Services } from '../../core/batch/batch.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { findUses } from './scan.sql.ts'
import { queueScrub } from './scrub.ts'
import * as rows from './scrub.sql.ts'

const maxUses = 10

export const toRun = ({ startedAt, endedAt, ...row }: rows.ScrubRow) => ({
  ...row,
  startedAt: startedAt.toISOString(),
  ...(endedAt && { endedAt: endedAt.toISOString() }),
})

export const scrubRoutes = (
  services: Services,
): RouteHandlers<Pick<typeof contract.routes, 'listScrubs' | 'startScrub' | 'getScrub'>> => ({
  async listScrubs({ db }, { query, continues }) {
    const count = Number(query.count ?? 20)
    const runs = await rows.listRuns(db, query.after === undefined ? undefined : Number(query.after), count)
    if (runs.length === count) continues(runs.at(-1)!.id)
    return { runs: runs.map(toRun) }
  },
  startScrub: (_, { caller }) =>
    inBatch(services, caller, async (ctx) => {
      const run = await rows.startRun(ctx.db, ctx.caller.userName)
      if (!run) throw new Problem('exists', 'a pass over all stored files is running already; wait for its end')
      await queueScrub(ctx.db)
      ctx.audit({ action: 'file.scrub', object: 'files' })
      return toRun(run)
    }),
  async getScrub({ db }, { params: { id = '' }, query, continues }) {
    const run = /^\d{1,15}$/.test(id) ? await rows.findRun(db, Number(id)) : undefined
    if (!run) throw new Problem('notFound', `no pass has the id ${id.slice(0, 40)}`)
    const count = Number(query.count ?? 100)
    const found = await rows.listFindings(db, run.id, query.after ?? '', count)
    if (found.length === count) continues(found.at(-1)!.sha256)
    const findings = []
    for (const { foundAt, ...finding } of found) {
      const uses = (await findUses(db, finding.sha256, maxUses)).map(({ tid, path, isCurrent }) => ({
        tid,
        path,
        isCurrent,
      }))
      findings.push({ ...finding, foundAt: foundAt.toISOString(), uses })
    }
    return { ...toRun(run), findings }
  },
})
