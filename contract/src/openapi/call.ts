/** What an operation is made from, and the request headers that several operations share. */
import type { Access, Route } from '../endpoint.ts'
import type { Parameter, Reference, Reply, Request } from './document.ts'

/** What only one operation says; the rest is the same for all. */
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
    description: 'Makes a repeat safe: the same request with the same key gets the first reply and has no second effect. The same key with another request is 400; a repeat while the first is running is 409.',
    schema: { type: 'string' },
  },
  kontorAtomic: {
    name: 'Kontor-Atomic', in: 'header', 'x-kontor': true,
    description: '`true` asks for all items or none: when one is refused, the others are not applied, and their records say so.',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
  kontorDryRun: {
    name: 'Kontor-Dry-Run', in: 'header', 'x-kontor': true,
    description: '`true` asks what would become of each item: the records are those of a real call, and nothing is stored.',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
  kontorViewAs: {
    name: 'Kontor-View-As', in: 'header', 'x-kontor': true,
    description: 'Of an administrator, on calls that read: the name of a user, percent-encoded, by whose roles the call is judged and answered.',
    schema: { type: 'string' },
  },
}
export const idempotencyKey: Reference = { $ref: '#/components/parameters/idempotencyKey' }
export const kontorDryRun: Reference = { $ref: '#/components/parameters/kontorDryRun' }
export const kontorAtomic: Reference = { $ref: '#/components/parameters/kontorAtomic' }
export const kontorViewAs: Reference = { $ref: '#/components/parameters/kontorViewAs' }
