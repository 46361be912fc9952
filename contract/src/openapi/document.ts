/** The subset of OpenAPI that our document uses and that its readers (reference page, manual) rely on. */
import type { Schema } from './json-schema.ts'

export interface OpenApi {
  readonly openapi: string
  readonly info: Readonly<Record<string, unknown>> & { readonly version: string; readonly description: string }
  readonly externalDocs: { readonly url: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly responses: Readonly<Record<string, Reply>>
    readonly securitySchemes: Readonly<Record<string, object>>
  }
}

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
/** `summary` is the resource of the path. */
export type PathItem = { readonly summary: string; readonly description?: string } & {
  readonly [M in (typeof methods)[number]]?: Operation
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly 'x-kontor'?: boolean
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: Request
  readonly responses: Readonly<Record<string, Reply | Reference>>
}

export interface Reference {
  readonly $ref: string
}
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
  readonly 'x-kontor'?: boolean
}
export interface Request {
  readonly required: boolean
  readonly content: Content
}
export interface Reply {
  readonly description: string
  readonly headers?: object
  readonly content?: Content
}
/** Bodies by media type. */
export type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>
