/**
 * How an area of the interface says what it offers: resources with the four verbs, and single routes for the rest.
 *
 *   POST <base>/<resource>/query      request  -> identifiers
 *   POST <base>/<resource>/retrieve   request  -> envelope with the objects
 *   POST <base>/<resource>/persist    envelope -> envelope with one response record per object
 *   POST <base>/<resource>/perform    envelope -> envelope with one response record per action
 *   POST <base>/<resource>/bulk       envelope -> id of a run (text/plain)
 *   GET  <base>/<resource>/bulk/{id}           -> envelope with the state of the run and its records so far
 *
 * Routes, handler types, the OpenAPI document, the SDK and the access matrix are made from these tables.
 */
import type { Type } from './schema/describe.ts'
import type { ActionType, DataType } from './schema/words.ts'

/** Who may call: everybody, any signed-in user, or an administrator. */
export type Access = 'public' | 'user' | 'admin'

/** One action of `perform`: how its object is named and which keys its meta may carry. */
export interface ActionRule {
  readonly doc: string
  /** One of these must be given; the first of them that is given wins. */
  readonly identify: readonly ('tid' | 'id' | 'path')[]
  readonly meta?: Readonly<Record<string, string>>
  /** Other words for the same action. */
  readonly aliases?: readonly string[]
}

export interface Resource {
  readonly doc: string
  readonly access: Access
  /** The envelope's container and the element in it: `kwds`, `kwd`. */
  readonly container: string
  readonly element: string
  readonly item: Type
  /** The object kind as records and actions name it. */
  readonly dataType: DataType
  /** Other data types that actions of this resource may name. */
  readonly actionTypes?: readonly ActionType[]
  readonly query?: { readonly request: Type; readonly reply: Type }
  readonly retrieve?: Type
  readonly persist?: true
  readonly perform?: Readonly<Record<string, ActionRule>>
  /** `read`: only GET bulk/{id}, as the interface lists it; `write`: POST bulk too. */
  readonly bulk?: 'read' | 'write'
  /** Containers that persist takes besides its own, in one order with it: a classification may come with its nodes. */
  readonly alongside?: Readonly<Record<string, { readonly item: Type; readonly dataType: DataType }>>
  /** The documented statuses of a verb, where they are not 200, 400, 401, 404 and 500. */
  readonly statuses?: Readonly<Partial<Record<Verb, readonly number[]>>>
  /** True for what the interface does not have. */
  readonly own?: boolean
}
export type Verb = 'query' | 'retrieve' | 'persist' | 'perform' | 'bulk'
export const usualStatuses: readonly number[] = [200, 400, 401, 404, 500]

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A call that is not one of the four verbs. */
export interface Route {
  readonly doc: string
  readonly access: Access
  readonly method: Method
  /** Path parameters in braces: `/storedsearch/{id}`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** The body: a described type, in all three formats or in JSON alone. */
  readonly request?: Type
  readonly requestOptional?: boolean
  /** The body is a JSON list of this type. */
  readonly requestList?: Type
  /** The body is multipart/form-data: a file, with a request of this type in the part `params`, or a part `chunkId`. */
  readonly form?: Type | 'chunk'
  /** The body is the bytes of a file. */
  readonly requestBytes?: true
  readonly reply?: Type | 'text' | 'map' | 'string' | 'bytes'
  /** The reply is a JSON list of this type. */
  readonly replyList?: Type
  readonly formats: 'all' | 'json'
  readonly statuses: readonly number[]
  /** True for what the interface does not have. */
  readonly own?: boolean
  /** Since when it should not be used, and until when it is there; its replies say so (RFC 9745, RFC 8594). */
  readonly deprecated?: { readonly since: string; readonly sunset: string }
  /** What a user must be allowed to do. Absent, it is to read for GET and to update for all else, of whatever kind. */
  readonly needs?: { readonly kind?: DataType; readonly action: RouteAction }
}
export type RouteAction = 'read' | 'create' | 'update' | 'delete' | 'link' | 'checkout' | 'administer'

export interface Area {
  readonly base: string
  readonly doc: string
  readonly resources: Readonly<Record<string, Resource>>
  readonly routes: Readonly<Record<string, Route>>
}

/** Keeps the literal types, so that handlers can be checked against exactly what is declared. */
export const area = <const A extends Area>(declared: A): A => declared
export const resource = <const R extends Resource>(declared: R): R => declared
