/** The request log. A Kontor extension, JSON only. */
import { children, leaf, type } from './describe.ts'

export const LoggedRequest = type('loggedRequest', 'A completed request.', {
  at: leaf('date', 'When the request arrived.'),
  method: leaf('string'),
  path: leaf('string', 'The URL path without the query, which may contain confidential data.'),
  status: leaf('string', 'The status of the reply, or `broken` if the reply was not sent completely.'),
  milliseconds: leaf('integer'),
  client: leaf('string', 'The client that the token was issued to.'),
  session: leaf('string', 'The sign-in or personal token of the request.'),
  current: leaf('boolean', 'Whether the current call uses the same sign-in or token.'),
  address: leaf('string', 'The network address of the client.'),
  supportId: leaf('string', 'The id of the request in the server log.'),
})

export const RequestLog = type('requestLog', 'Your recent requests, newest first.', {
  requests: children(() => LoggedRequest),
})
