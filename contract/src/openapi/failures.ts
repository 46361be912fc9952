/** The shared replies of failed calls: the error envelope in all three formats, the error object of the Search API, or a page. */
import { ErrorResponse } from '../schema/envelope.ts'
import { SearchError, searchVersion } from '../schema/search.ts'
import { inAllFormats, inJson } from './bodies.ts'
import type { Reference, Reply } from './document.ts'
import { schemaRef } from './json-schema.ts'

interface Failure {
  readonly name: string
  readonly code: string
  readonly issue: string
  readonly doc: string
  readonly header?: string
}

// prettier-ignore
const failures = new Map<number, Failure>([
  [400, { name: 'badRequest',   code: '1001', issue: 'invalid input', doc: 'Invalid input: a malformed body, an unknown field, a missing value, a wrong type or an unsupported media type. One issue per fault gives its location.' }],
  [401, { name: 'unauthorized', code: '1003', issue: 'not authorized', doc: 'The token is missing or expired, or the caller is not permitted.', header: 'WWW-Authenticate' }],
  [403, { name: 'forbidden',    code: '1004', issue: 'no access', doc: 'The caller has no access.' }],
  [404, { name: 'notFound',     code: '1002', issue: 'resource not found', doc: 'The requested object does not exist, or nothing matches.' }],
  [409, { name: 'conflict',     code: '1007', issue: 'a request with this idempotency key is still running', doc: 'The first request with this Idempotency-Key is still running; retry later. Or another user has checked out the object (1006).' }],
  [410, { name: 'gone',         code: '1018', issue: 'no longer kept', doc: 'Events after this position are no longer available. Read all objects again.' }],
  [412, { name: 'notMatched',   code: '1015', issue: 'changed since it was read', doc: 'The object or file does not match If-Match or If-Unmodified-Since.' }],
  [413, { name: 'tooLarge',     code: '1011', issue: 'message too large', doc: 'The body is too large. Send it in parts or with bulk.' }],
  [416, { name: 'badRange',     code: '1016', issue: 'range not satisfiable', doc: 'The range is outside the file.', header: 'Content-Range' }],
  [429, { name: 'tooMany',      code: '1012', issue: 'too many requests', doc: 'Too many requests. Retry after the number of seconds in Retry-After.', header: 'Retry-After' }],
  [500, { name: 'internal',     code: '1000', issue: 'unknown internal error', doc: 'An internal error. The server log contains its cause under the support id.' }],
  [503, { name: 'unavailable',  code: '1013', issue: 'a part of the service is not available', doc: 'A part of the service is not available. Retry after the number of seconds in Retry-After.', header: 'Retry-After' }],
])

/** `tag`: the area of the call. */
export function failureRef(status: number, tag: string): Reference {
  const failure = failures.get(status)
  if (!failure) throw new Error(`status ${status} is declared, but has no description`)
  const name = tag === 'search' || tag === 'share' ? nameIn(tag, failure) : failure.name
  return { $ref: `#/components/responses/${name}` }
}
const nameIn = (tag: string, { name }: Failure) => `${tag}${name[0]!.toUpperCase()}${name.slice(1)}`

export const failureReplies = (): Record<string, Reply> =>
  Object.fromEntries(
    [...failures].flatMap(([status, failure]) => [
      [failure.name, replyOf(failure)],
      [nameIn('search', failure), searchReplyOf(status, failure)],
      [nameIn('share', failure), pageReplyOf(failure)],
    ]),
  )

function searchReplyOf(status: number, { code, doc, header }: Failure): Reply {
  const supportId = '7d7bb7a2-54a1-4b43-a6fe-55ed9d1e8a1c'
  return {
    description: doc,
    ...(header && { headers: { [header]: { schema: { type: 'string' } } } }),
    content: inJson(schemaRef(SearchError.name), { apiVersion: searchVersion, status, code, message, supportId }),
  }
}

/** The public pages answer browsers with a page, and programs as everywhere. */
function pageReplyOf(failure: Failure): Reply {
  const { content, ...reply } = replyOf(failure)
  return { ...reply, content: { ...content, 'text/html': { schema: { type: 'string' }, example: '<!doctype html>…' } } }
}

const message = 'what is wrong, where, and how to correct it'

function replyOf({ code, issue, doc, header }: Failure): Reply {
  const items = [
    { value: code, key: 'code' },
    { value: issue, key: 'description' },
  ]
  const example = {
    details: { itm: [{ value: '7d7bb7a2-54a1-4b43-a6fe-55ed9d1e8a1c', key: 'supportId' }] },
    issues: [{ itm: items, itms: [{ itm: [{ value: message, key: 'errorMessage' }], type: 'details' }] }],
    status: 'ERROR',
  }
  return {
    description: doc,
    ...(header && { headers: { [header]: { schema: { type: 'string' } } } }),
    content: inAllFormats(schemaRef(ErrorResponse.name), ErrorResponse, example),
  }
}
