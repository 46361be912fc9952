/** The state of the installation, for administrators. */
import { area } from '../endpoint.ts'
import { SystemState } from '../schema/system.ts'

const admin = { access: 'admin', formats: 'json', own: true } as const

// prettier-ignore
export const system = area({
  base: '/api/v1/system',
  doc: 'The state of the installation: version, disk, memory, queues, backups and last errors. For administrators.',
  resources: {},
  routes: {
    getSystem:   { ...admin, doc: 'Returns the state of the installation. Process and errors are those of the process that answers.', method: 'GET', path: '', reply: SystemState, statuses: [200, 401, 403] },
    retryJob:    { ...admin, doc: 'Runs a job again that has failed for good.', method: 'POST', path: '/jobs/{id}/retry', statuses: [200, 401, 403, 404] },
    deleteJob:   { ...admin, doc: 'Deletes a job that has failed for good.', method: 'DELETE', path: '/jobs/{id}', statuses: [200, 401, 403, 404] },
  },
})
