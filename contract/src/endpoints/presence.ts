/** Presence: the other users who have an object open. */
import { area } from '../endpoint.ts'
import { PresenceList, PresenceRequest } from '../schema/presence.ts'

// prettier-ignore
export const presence = area({
  base: '/api/v1/presence',
  doc: 'Presence: who else has an object open.',
  resources: {},
  routes: {
    announce: {
      access: 'user', formats: 'json', own: true, needs: { action: 'read' },
      doc: 'Announces that you have an object open, and lists the other users who have. Repeat it every 15 seconds; after 40 seconds without a call you no longer count.', method: 'POST', path: '',
      request: PresenceRequest, reply: PresenceList, statuses: [200, 400, 401, 404],
    },
  },
})
