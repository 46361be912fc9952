/** The input for an operation of the OpenAPI document, and the request headers that several operations share. */
import type { Access, Route } from '../endpoint.ts'
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
}

// prettier-ignore
export const headers: Record<string, Parameter> = {
  idempotencyKey: {
    name: 'Idempotency-Key', in: 'header', 'x-kontor': true,
    description: 'Makes retries safe: a repeated request with the same key returns the first reply and has no second effect. The same key with another request returns 400. A repeat while the first request is running returns 409.',
    schema: { type: 'string' },
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
  kontorViewAs: {
    name: 'Kontor-View-As', in: 'header', 'x-kontor': true,
    description: 'For administrators, on read calls: the percent-encoded name of a user. The call is executed with the roles of that user.',
    schema: { type: 'string' },
  },
}
export const idempotencyKey: Reference = { $ref: '#/components/parameters/idempotencyKey' }
export const kontorDryRun: Reference = { $ref: '#/components/parameters/kontorDryRun' }
export const kontorAtomic: Reference = { $ref: '#/components/parameters/kontorAtomic' }
export const kontorViewAs: Reference = { $ref: '#/components/parameters/kontorViewAs' }
