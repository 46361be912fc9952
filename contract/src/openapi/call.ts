/** The input for an operation of the OpenAPI document, and the request headers that several operations share. */
import { type Access, queryPaging, type Route } from '../endpoint.ts'
import type { Parameter, Reference, Reply, Request } from './document.ts'

/** The parts of an operation that differ between operations. */
export interface Call {
  readonly id: string
  readonly method: Lowercase<Route['method']>
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly access: Access
  readonly own?: boolean | undefined
  readonly deprecated?: boolean
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly request?: Request | undefined
  readonly reply: readonly [status: number, reply: Reply]
  readonly failures: readonly number[]
  /** Replies by status that differ from the shared ones. */
  readonly otherReplies?: Readonly<Record<string, Reply>>
}

// prettier-ignore
export const headers: Record<string, Parameter> = {
  idempotencyKey: {
    name: 'Idempotency-Key', in: 'header', 'x-kontor': true,
    description: 'Makes retries safe: a repeated request with the same key returns the first reply and has no second effect. The same key with another request returns 400. A repeat while the first request is running returns 409.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  kontorAtomic: {
    name: 'Kontor-Atomic', in: 'header', 'x-kontor': true,
    description: '`true` applies all items or none: if one item is refused, no item is applied, and the records say so.',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
  kontorDryRun: {
    name: 'Kontor-Dry-Run', in: 'header', 'x-kontor': true,
    description: '`true` checks the items without storing anything. The records are those of a real call.',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
  ifMatch: {
    name: 'If-Match', in: 'header', 'x-kontor': true,
    description: 'With a single object: its ETag. If the object has changed since, nothing is stored and the call returns 412.',
    schema: { type: 'string', minLength: 1, pattern: '^[!-~]([ -~]*[!-~])?$' },
  },
  kontorMaxStaleness: {
    name: 'Kontor-Max-Staleness', in: 'header', 'x-kontor': true,
    description: 'Seconds by which the data may be behind. A read replica, if there is one, then answers, and the reply has the header `Kontor-Staleness`. Rights are always those of now.',
    schema: { type: 'integer', minimum: 0, maximum: 86400 },
  },
  pageCount: {
    name: 'count', in: 'query', 'x-kontor': true, description: queryPaging.count.doc,
    schema: { type: 'integer', minimum: queryPaging.count.whole[0], maximum: queryPaging.count.whole[1] },
  },
  pageAfter: {
    name: 'after', in: 'query', 'x-kontor': true, description: queryPaging.after.doc,
    schema: { type: 'integer', format: 'int64', minimum: 0, maximum: queryPaging.after.whole[1] },
  },
  kontorViewAs: {
    name: 'Kontor-View-As', in: 'header', 'x-kontor': true,
    description: 'For administrators, on read calls: the percent-encoded name of a user. The call is executed with the roles of that user.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^([!-$&-~]|%[0-9A-Fa-f]{2})+$' },
  },
}
/** Headers of replies that report what the request headers had caused. */
// prettier-ignore
export const outcomeHeaders = {
  'Kontor-Dry-Run': {
    description: '`true` if nothing was stored, because the request asked for a dry run. Absent otherwise.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Idempotency-Replayed': {
    description: '`true` if this is the stored reply to an earlier request with the same Idempotency-Key. Absent otherwise.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const
export const nextHeader = {
  'Kontor-Next': {
    description: 'The position of the next page: send it as `after`. Absent on the last page and without paging.',
    schema: { type: 'string', pattern: '^[0-9A-Za-z_-]+$' },
  },
} as const
export const pageParameters: readonly Reference[] = [
  { $ref: '#/components/parameters/pageCount' },
  { $ref: '#/components/parameters/pageAfter' },
]
export const replayedHeader = { 'Idempotency-Replayed': outcomeHeaders['Idempotency-Replayed'] }

export const idempotencyKey: Reference = { $ref: '#/components/parameters/idempotencyKey' }
export const ifMatch: Reference = { $ref: '#/components/parameters/ifMatch' }
export const etagHeader = {
  ETag: { description: 'The version of the object, if the request selects a single one.', schema: { type: 'string' } },
} as const
export const kontorDryRun: Reference = { $ref: '#/components/parameters/kontorDryRun' }
export const kontorAtomic: Reference = { $ref: '#/components/parameters/kontorAtomic' }
export const kontorMaxStaleness: Reference = { $ref: '#/components/parameters/kontorMaxStaleness' }
export const kontorViewAs: Reference = { $ref: '#/components/parameters/kontorViewAs' }
