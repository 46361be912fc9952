/** Shapes of the request log. Ours, JSON only. */
import { children, leaf, type } from './describe.ts'

export const LoggedRequest = type('loggedRequest', 'A request that is over.', {
  at: leaf('date', 'When it came.'),
  method: leaf('string'),
  path: leaf('string', 'Without the query, which may say more than a log should.'),
  status: leaf('string', 'The status of the reply, or `broken` where it did not reach its end.'),
  milliseconds: leaf('integer'),
  client: leaf('string', 'The client the token was made for.'),
  session: leaf('string', 'The sign-in or personal token it came with.'),
  current: leaf('boolean', 'Whether the asking call came with the same.'),
  address: leaf('string', 'The network address it came from.'),
  supportId: leaf('string', 'What the server logged about it is under this id.'),
})

export const RequestLog = type('requestLog', 'What the caller asked this server lately, newest first.', {
  requests: children(() => LoggedRequest),
})
