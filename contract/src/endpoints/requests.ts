/** One's own requests: what a program that uses the interface did, for who wrote it. */
import { area } from '../endpoint.ts'
import { RequestLog } from '../schema/requests.ts'

// prettier-ignore
export const requests = area({
  base: '/api/v1/requests',
  doc: 'The request log: what the caller asked lately, with whichever token, and what became of it.',
  resources: {},
  routes: {
    listRequests: {
      access: 'user', formats: 'json', own: true, needs: { action: 'read' },
      doc: 'The last hundred requests of the caller with each sign-in and token since this process started, newest first. Calls of the log itself are left out.', method: 'GET', path: '',
      query: { session: 'Only those that came with this sign-in or token.' },
      reply: RequestLog, statuses: [200, 401],
    },
  },
})
