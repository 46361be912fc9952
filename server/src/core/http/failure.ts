/**
 * Replies to failed calls: the error envelope in the caller's format, with a support id that is also the id of the request in
 * the log. No internals (SQL, stack, path) leave the server.
 */
import { randomUUID } from 'node:crypto'
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import {
  because,
  encode,
  ErrorResponse,
  type Format,
  formats,
  reasonItems,
  search,
  SearchError,
  searchVersion,
} from '@kontor/contract'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isStoreFault } from '../../adapters/blobs/faults.ts'
import { isUnreachable } from '../../adapters/postgres/lost.ts'
import { type Message, Problem, type ProblemKind, problems, textOf } from '../../errors.ts'
import { watchMethods } from './methods.ts'
import { errorFormat } from './negotiate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The message of the error if the call failed because of the server. Only administrators may see it. */
    fault: string | null
  }
}

/** `place` may answer a URL without a route, because pages of the console are not errors. */
export function answerFailures(
  app: FastifyInstance,
  place: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined = () => undefined,
): void {
  const methods = watchMethods(app)
  app.decorateRequest('fault', null)
  const refuseMethod = (request: FastifyRequest, reply: FastifyReply, path: string, allowed: readonly string[]) => {
    const names = allowed.join(', ')
    reply.header('allow', names)
    return fail(request, reply, new Problem('method', `${path.slice(0, 200)} answers ${names}, not ${request.method}`))
  }
  app.setErrorHandler((error: Error, request, reply) => fail(request, reply, error))
  app.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request)
    if (methods.isShadowed(request.routeOptions.url, path)) return refuseMethod(request, reply, path, methods.at(path))
  })
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request)
    const allowed = methods.at(path)
    if (allowed.length > 0) return refuseMethod(request, reply, path, allowed)
    return (
      place(request, reply) ??
      fail(request, reply, new Problem('notFound', `there is nothing at ${path.slice(0, 200)}`))
    )
  })
}

const pathOf = ({ url }: FastifyRequest) => url.split('?')[0]!

export function fail(request: FastifyRequest, reply: FastifyReply, error: Error): FastifyReply {
  const problem = toProblem(error)
  const { status } = problems[problem.kind]
  // Refusals, as of a server that is full, have no cause that an operator could remove, and there may be thousands.
  const isRefusal = error instanceof Problem && error.kind === 'unavailable' && error.cause === undefined
  const isFault = status >= 500 && !isRefusal
  if (isFault) request.fault = error.message
  request.log[isFault ? 'error' : 'info'](
    { ...(isFault && { err: error }), problem: problem.message },
    'request failed',
  )
  if (status === 429 || status === 503) reply.header('retry-after', '1')
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  if (request.url.startsWith(searchBase)) {
    return reply.status(status).type(formats.json.contentType).send(searchError(problem, request.id))
  }
  const format = errorFormat(request)
  return reply
    .status(status)
    .type(format.contentType)
    .send(errorEnvelope(format, problem, request.id))
}

const { base: searchBase } = search

/** The Search API has an error body of its own. */
function searchError(problem: Problem, supportId: string): string {
  const { status, code } = problems[problem.kind]
  return encode(formats.json, SearchError, {
    apiVersion: searchVersion,
    status,
    code,
    message: printable(problem.message),
    supportId,
  })
}

/**
 * Answers bytes that are not a readable request (broken HTTP, too slow, headers too large). There is only a socket to
 * write to, and if a reply has begun on it, not even that.
 */
export function refuseConnection(
  error: Error & { code?: string },
  socket: Socket,
  log: FastifyBaseLogger,
  headers: Readonly<Record<string, string>>,
): void {
  const { _httpMessage: reply } = socket as Socket & { _httpMessage?: ServerResponse }
  if (error.code === 'ECONNRESET' || !socket.writable || reply?.headersSent) return void socket.destroy()
  const problem = brokenRequests[error.code ?? ''] ?? new Problem('invalid', 'this is not a readable HTTP request')
  const { status } = problems[problem.kind]
  const supportId = randomUUID()
  log.info({ supportId, status, problem: problem.message, reason: error.code }, 'connection refused')
  const body = errorEnvelope(formats.json, problem, supportId)
  const all = {
    ...headers,
    'content-type': formats.json.contentType,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
}

const brokenRequests: Readonly<Record<string, Problem>> = {
  HPE_HEADER_OVERFLOW: new Problem('headersTooLarge', 'the headers are too large; send fewer or shorter ones'),
  ERR_HTTP_REQUEST_TIMEOUT: new Problem('timeout', 'the request took too long to arrive'),
}

function errorEnvelope(format: Format, problem: Problem, supportId: string): string {
  const { code, description } = problems[problem.kind]
  const issues = problem.messages.map((message) => ({
    itm: [
      { value: code, key: 'code' },
      { value: description, key: 'description' },
    ],
    itms: [{ itm: itemsOf(message), type: 'details' }],
  }))
  const details = { itm: [{ value: supportId, key: 'supportId' }] }
  return encode(format, ErrorResponse, { details, issues, status: 'ERROR' })
}

const itemsOf = (message: Message) =>
  [{ value: textOf(message), key: 'errorMessage' }, ...(typeof message === 'string' ? [] : reasonItems(message))].map(
    ({ value, key }) => ({ value: printable(value), key }),
  )

/** Messages may quote the request; characters that XML cannot contain become question marks. */
const printable = (message: string) =>
  // oxlint-disable-next-line no-control-regex
  message.toWellFormed().replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '?')

/** Translates errors of libraries. An unknown error is an internal error, and its text is only logged. */
export function toProblem(error: Error & { code?: string; statusCode?: number }): Problem {
  if (error instanceof Problem) return error
  if (isStoreFault(error)) return new Problem('unavailable', because('noFiles'), { cause: error })
  if (isUnreachable(error)) return new Problem('unavailable', because('noDatabase'), { cause: error })
  if (busy.has(error.code ?? '')) return new Problem('unavailable', because('busy'), { cause: error })
  const kind = kindByStatus.get(error.statusCode ?? 500)
  if (kind === 'mediaType') return new Problem(kind, 'Content-Type cannot be read; send type/subtype', { cause: error })
  if (kind) return new Problem(kind, error.message, { cause: error })
  return new Problem('internal', 'the cause is in the log under the support id', { cause: error })
}

/** Statuses of Fastify's own errors (malformed URL, too long, …). Unsupported media types are 400 in the interface. */
const kindByStatus = new Map<number, ProblemKind>([
  [400, 'invalid'],
  [404, 'notFound'],
  [408, 'timeout'],
  [413, 'tooLarge'],
  [414, 'notFound'],
  [415, 'mediaType'],
  [429, 'tooMany'],
  [503, 'unavailable'],
])

/** Repeated deadlocks and conflicts, and locks that were not released in time: 40001, 40P01, 55P03, 57014. */
const busy = new Set(['40001', '40P01', '55P03', '57014'])
