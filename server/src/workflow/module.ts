/** The Workflow area: maps the routes of the contract to handlers, and defines background and scheduled jobs. */
import { workflow as contract } from '@kontor/contract'
import type { FastifyInstance } from 'fastify'
import type { JobTable, TimeTable } from '../adapters/jobs/jobs.ts'
import type { Services } from '../core/context.ts'
import { mountRoute, type RouteHandler, type RouteHandlers } from '../core/http/routes.ts'
import { configurations } from './configurations/configurations.ts'
import { createModels, definitions } from './definitions/definitions.ts'
import { deployShipped } from './definitions/shipped.ts'
import { createEngine } from './engine/threaded.ts'
import { jobs } from './jobs/jobs.ts'
import { jobInputs } from './jobs/job-types.ts'
import { createSend, type Mail } from '../adapters/mail/mail.ts'
import { runJob } from './jobs/run.ts'
import type { Runtime, WorkflowNeeds } from './runtime.ts'
import { processes } from './processes/processes.ts'
import { start } from './processes/start.ts'
import { workflowJob } from './processes/steps.ts'
import { mailJob } from './tasks/notices.ts'
import { tasks } from './tasks/tasks.ts'
import { sweepJob, sweepTimes, sweepWorkflows } from './tasks/overdue.ts'

export { removeExpired } from './processes/retention.ts'
export type { WorkflowNeeds } from './runtime.ts'

/** A second base path for the start; the published API documentation uses it. */
const otherBase = '/api/wfl/v1/workflow'

export async function createWorkflow(services: Services, needs: WorkflowNeeds) {
  const engine = createEngine(jobInputs)
  const models = createModels(jobInputs)
  const runtime: Runtime = { ...needs, services, models, engine, send: createSend(services.config) }
  await deployShipped(services.database)
  const routes: RouteHandlers<typeof contract.routes> = {
    start: start(runtime),
    ...configurations,
    ...definitions(engine),
    ...processes(runtime),
    ...tasks(runtime),
    ...jobs,
  }
  const plugin = (app: FastifyInstance) => {
    app.addHook('onClose', engine.close)
    mountRoute(app, services, otherBase, contract.routes.start, start(runtime) as unknown as RouteHandler<never>)
  }
  const table: JobTable = {
    [workflowJob]: ({ jobId }: { jobId: number }) => runJob(runtime, jobId),
    [mailJob]: async (mail: Mail) => runtime.send?.(mail),
    [sweepJob]: () => sweepWorkflows(runtime),
  }
  const timeTable: TimeTable = { [sweepJob]: sweepTimes }
  const area = { contract, resources: {}, routes, plugin }
  return { area, jobs: table, timeTable }
}
