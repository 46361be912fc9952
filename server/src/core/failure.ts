/**
 * How a failed call is answered: the error envelope in the caller's format, with a support id that is also the id of
 * the request in the log. Nothing of our inside (SQL, stack, path) goes out.
 */
import { encode, ErrorResponse, type Format } from '@kontor/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem, type ProblemKind, problems } from '../errors.ts'
import { errorFormat } from './negotiate.ts'

export function answerFailures(app: FastifyInstance): void {
  const known: { method: string; pattern: RegExp }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    const pattern = new RegExp(
      `^${url
        .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
        .replaceAll('*', '.*')
        .replaceAll(/:\w+/g, '[^/]+')}/?$`,
    )
    for (const one of [method].flat()) known.push({ method: one, pattern })
  })
  app.setErrorHandler((error: Error, request, reply) => fail(request, reply, error))
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0]!
    const allowed = [...new Set(known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))]
    if (allowed.length === 0)
      return fail(request, reply, new Problem('notFound', `there is nothing at ${path.slice(0, 200)}`))
    reply.header('allow', allowed.join(', '))
    return fail(
      request,
      reply,
      new Problem('method', `${path.slice(0, 200)} answers ${allowed.join(', ')}, not ${request.method}`),
    )
  })
}

function fail(request: FastifyRequest, reply: FastifyReply, error: Error): FastifyReply {
  const problem = toProblem(error)
  const { status } = problems[problem.kind]
  request.log[status >= 500 ? 'error' : 'info'](
    { err: status >= 500 ? error : undefined, problem: problem.message },
    'request failed',
  )
  if (status === 429 || status === 503) reply.header('retry-after', '1')
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  const format = errorFormat(request)
  return reply
    .status(status)
    .type(format.contentType)
    .send(errorEnvelope(format, problem, request.id))
}

export function errorEnvelope(format: Format, problem: Problem, supportId: string): string {
  const { code, description } = problems[problem.kind]
  const issues = problem.messages.map((message) => ({
    itm: [
      { value: code, key: 'code' },
      { value: description, key: 'description' },
    ],
    itms: [{ itm: [{ value: printable(message), key: 'errorMessage' }], type: 'details' }],
  }))
  const details = { itm: [{ value: supportId, key: 'supportId' }] }
  return encode(format, ErrorResponse, { details, issues, status: 'ERROR' })
}

/** Messages may quote what was sent; what XML cannot carry is shown as a question mark. */
const printable = (message: string) =>
  message.toWellFormed().replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '?')

/** Foreign errors are translated here, once. What is not known is our fault, and its text stays inside. */
export function toProblem(error: Error & { code?: string; statusCode?: number }): Problem {
  if (error instanceof Problem) return error
  if (isUnavailable(error))
    return new Problem('unavailable', 'the database cannot be reached; try again later', { cause: error })
  const kind = kindByStatus.get(error.statusCode ?? 500)
  if (kind) return new Problem(kind, error.message, { cause: error })
  return new Problem('internal', 'the cause is in the log under the support id', { cause: error })
}

/** Statuses of Fastify's own refusals (broken address, too long, …). Unsupported media types are 400, as the interface says. */
const kindByStatus = new Map<number, ProblemKind>([
  [400, 'invalid'],
  [404, 'notFound'],
  [408, 'timeout'],
  [413, 'tooLarge'],
  [414, 'invalid'],
  [415, 'mediaType'],
  [429, 'tooMany'],
  [503, 'unavailable'],
])

/** The database is down, starting, stopping, full, or all connections stayed busy for too long. */
function isUnavailable({ code = '', message }: Error & { code?: string }): boolean {
  return (
    ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', '53100', '53300', '57P01', '57P02', '57P03'].includes(code) ||
    code.startsWith('08') ||
    /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/.test(
      message,
    )
  )
}
