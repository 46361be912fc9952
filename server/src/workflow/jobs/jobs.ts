/** Rules of /workflow/jobs: list jobs and retry failed ones. */
import { because } from '@kontor/contract'
import type { Infer, workflow, WorkflowJob } from '@kontor/contract'
import { inBatch } from '../../core/batch/batch.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { asText } from '../engine/expressions.ts'
import { idsOf, pageOf } from '../identify.ts'
import type { Sight } from '../linked.ts'
import { enqueue } from '../processes/steps.ts'
import { type Result, toError } from '../tasks/tasks.ts'
import * as rows from './jobs.sql.ts'
import { jobTypes } from './job-types.ts'

type Routes = Pick<typeof workflow.routes, 'queryJobs' | 'retryJobs' | 'listJobTypes'>

export const jobs: RouteHandlers<Routes> = {
  async queryJobs({ db }, { body = {} }) {
    const { before, count, processIds, ...rest } = body
    const filter = { ...rest, ...(processIds && { processIds }) }
    const found = await rows.listJobs(db, filter, before, pageOf(count))
    return { jobs: found.map((job) => toJob(job)), total: await rows.countJobs(db, filter) }
  },

  async retryJobs(_, { body, caller, services }) {
    const ids = idsOf(body.ids, 1000)
    return inBatch(services, caller, async (ctx) => {
      const opened = await rows.reopenJobs(ctx.db, ids)
      await enqueue(ctx, opened)
      for (const id of new Set(opened.map(({ processId }) => processId))) {
        ctx.record({ dataType: 'workflow', id, event: 'UPDATE', action: 'retry' })
      }
      const again = new Set(opened.map(({ id }) => id))
      const states = new Map((await rows.findStates(ctx.db, ids)).map(({ id, state }) => [id, state]))
      return ids.map((id): Result => {
        if (again.has(id)) return { id, status: 'success' }
        const state = states.get(id)
        return toError(
          id,
          state === undefined
            ? new Problem('notFound', `no job has the id ${id}`)
            : new Problem('invalid', because('jobNotFailed', { id, state })),
        )
      })
    })
  },

  listJobTypes: async () => ({
    jobs: [...jobTypes].map(([job, { doc, inputs }]) => ({
      job,
      doc,
      inputs: Object.fromEntries(Object.entries(inputs).map(([name, text]) => [name, text.replace('*', 'Required. ')])),
    })),
  }),
}

/** Administrators see all of a job; others, with a sight, only what concerns objects that they may read. */
export function toJob(
  { job, item, runAt, endedAt, problem, ...row }: rows.JobRow,
  sight?: Pick<Sight, 'text' | 'report'>,
): Infer<typeof WorkflowJob> {
  const { text, report } = sight ?? everything
  return {
    ...row,
    ...(job !== null && { job }),
    ...(item !== null && { item: text(asText(item)) }),
    ...(runAt && { runAt: runAt.toISOString() }),
    ...(endedAt && { endedAt: endedAt.toISOString() }),
    ...(problem !== null && { problem: report(problem) }),
  }
}

const everything = { text: (text: string) => text, report: (text: string) => text }
