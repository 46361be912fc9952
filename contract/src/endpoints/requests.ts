/** The request log: helps developers of API clients to see what their program sent. */
import { area } from '../endpoint.ts'
import { RequestLog } from '../schema/requests.ts'

// prettier-ignore
export const requests = area({
  base: '/api/v1/requests',
  doc: 'The request log: your recent requests with all your tokens, and their results.',
  resources: {},
  routes: {
    listRequests: {
      access: 'user', formats: 'json', own: true, needs: { action: 'read' },
      doc: 'Lists your last 100 requests per sign-in and token, newest first. The log starts empty with each server process and does not include calls to itself.', method: 'GET', path: '',
      query: { session: 'Only requests made with this sign-in or token.' },
      reply: RequestLog, statuses: [200, 401],
    },
  },
})
