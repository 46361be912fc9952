/**
 * All errors that a caller can get, in one table. The error page of the manual is generated from it.
 *
 * A `Problem` is an error that the caller can fix. Every other exception is a bug: it is logged under the support id and
 * answered as `internal`, without details.
 */
import type { Reason } from '@kontor/contract'

// prettier-ignore
export const problems = {
  internal:     { status: 500, code: '1000', description: 'unknown internal error' },
  invalid:      { status: 400, code: '1001', description: 'invalid input' },
  mediaType:    { status: 400, code: '1001', description: 'unsupported media type' },
  notFound:     { status: 404, code: '1002', description: 'resource not found' },
  unauthorized: { status: 401, code: '1003', description: 'not authorized' },
  forbidden:    { status: 403, code: '1004', description: 'no access' },
  exists:       { status: 409, code: '1005', description: 'already exists' },
  locked:       { status: 409, code: '1006', description: 'locked by another user' },
  inFlight:     { status: 409, code: '1007', description: 'a request with this idempotency key is still running' },
  inUse:        { status: 409, code: '1008', description: 'in use by other objects' },
  notApplied:   { status: 409, code: '1009', description: 'not applied because another item of the batch failed' },
  method:       { status: 405, code: '1010', description: 'method not allowed' },
  tooLarge:     { status: 413, code: '1011', description: 'message too large' },
  tooMany:      { status: 429, code: '1012', description: 'too many requests' },
  unavailable:  { status: 503, code: '1013', description: 'a part of the service is not available' },
  notMatched:   { status: 412, code: '1015', description: 'changed since it was read' },
  fileExists:   { status: 403, code: '1000', description: 'a file exists at this path' },
  gone:         { status: 410, code: '1018', description: 'no longer kept' },
  withheld:     { status: 409, code: '1019', description: 'the content of the file is not available now' },
  range:        { status: 416, code: '1016', description: 'range not satisfiable' },
  timeout:      { status: 408, code: '1014', description: 'the request took too long to arrive' },
  headersTooLarge: { status: 431, code: '1017', description: 'headers too large' },
} as const

export type ProblemKind = keyof typeof problems

/** One sentence: what is wrong, where, and how to fix it. With a reason, clients can say it in other languages. */
export type Message = string | Reason
export const textOf = (message: Message) => (typeof message === 'string' ? message : message.sentence)

export class Problem extends Error {
  readonly kind: ProblemKind
  readonly messages: readonly Message[]
  constructor(kind: ProblemKind, messages: Message | readonly Message[], options?: ErrorOptions) {
    const all = isList(messages) ? messages : [messages]
    super(all.map(textOf).join('; '), options)
    this.name = 'Problem'
    this.kind = kind
    this.messages = all
  }
  /** The message of a problem that has only one, else all of their sentences. */
  get only(): Message {
    return this.messages.length === 1 ? this.messages[0]! : this.message
  }
}
const isList = (messages: Message | readonly Message[]): messages is readonly Message[] => Array.isArray(messages)

export type ValueFault = readonly [key: string, message: Message]
export const sentenceOf = ([key, message]: ValueFault) => `attribute ${key}: ${textOf(message)}`

/** Refuses attribute values. It contains their keys, so that a form can show each message at its field. */
export class ValueProblem extends Problem {
  readonly faults: readonly ValueFault[]
  constructor(kind: ProblemKind, faults: readonly ValueFault[]) {
    super(kind, faults.map(sentenceOf))
    this.faults = faults
  }
}
