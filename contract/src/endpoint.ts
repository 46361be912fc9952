/**
 * The vocabulary in which an area of the interface declares its calls: resources with the standard verbs, and single
 * routes for everything else.
 *
 *   POST <base>/<resource>/query      request  -> identifiers
 *   POST <base>/<resource>/retrieve   request  -> envelope with the objects
 *   POST <base>/<resource>/persist    envelope -> envelope with one response record per object
 *   POST <base>/<resource>/perform    envelope -> envelope with one response record per action
 *   POST <base>/<resource>/bulk       envelope -> id of a run (text/plain)
 *   GET  <base>/<resource>/bulk/{id}           -> envelope with the run's state and its records so far
 *
 * Routes, handler types, the OpenAPI document, the SDK and the access matrix are derived from these tables.
 */
import type { Type } from './schema/describe.ts'
import type { ActionType, DataType } from './schema/words.ts'

/** The callers that are allowed: everyone, any signed-in user, or administrators only. */
export type Access = 'public' | 'user' | 'admin'

/** One action of `perform`: how it identifies its object, and which keys its meta may have. */
export interface ActionRule {
  readonly doc: string
  /** At least one of these is required. If several are sent, the first in this list wins. */
  readonly identify: readonly ('tid' | 'id' | 'path')[]
  readonly meta?: Readonly<Record<string, string>>
  /** Other accepted names of the action. */
  readonly aliases?: readonly string[]
}

export interface Resource {
  readonly doc: string
  readonly access: Access
  /** The envelope's container and the element in it: `kwds`, `kwd`. */
  readonly container: string
  readonly element: string
  readonly item: Type
  /** The kind of object, as response records and actions name it. */
  readonly dataType: DataType
  /** Other data types that actions of this resource may use. */
  readonly actionTypes?: readonly ActionType[]
  readonly query?: { readonly request: Type; readonly reply: Type }
  readonly retrieve?: Type
  readonly persist?: true
  /** Its objects have ETags: `retrieve` of a single one returns it, and `persist` takes `If-Match`. */
  readonly tagged?: true
  readonly perform?: Readonly<Record<string, ActionRule>>
  /** `read`: only GET bulk/{id}; `write`: POST bulk too. */
  readonly bulk?: 'read' | 'write'
  /** Other containers that `persist` accepts in the same message: a classification may be sent with its nodes. */
  readonly alongside?: Readonly<Record<string, { readonly item: Type; readonly dataType: DataType }>>
  /** The documented statuses of a verb, if they differ from `usualStatuses`. */
  readonly statuses?: Readonly<Partial<Record<Verb, readonly number[]>>>
  /** True for a Kontor extension: a call that is not part of the original interface. */
  readonly own?: boolean
}
export type Verb = 'query' | 'retrieve' | 'persist' | 'perform' | 'bulk'
export const usualStatuses: readonly number[] = [200, 400, 401, 404, 500]

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A query parameter: the description of a text, or the description together with the values that are allowed. */
export type QueryParameter = string | TypedParameter
export type QueryParameters = Readonly<Record<string, QueryParameter>>
interface TypedParameter {
  readonly doc: string
  /** A whole number in this range. */
  readonly whole?: readonly [min: number, max: number]
  /** `true` or `false`. */
  readonly flag?: true
  readonly words?: readonly string[]
  /** A regular expression or a format of the text, which the handler checks. */
  readonly pattern?: string
  readonly format?: 'date-time'
  readonly required?: true
}

/** The largest number of a parameter: no id and no count has more than 15 digits. */
const maxWhole = 999_999_999_999_999
export const whole = (doc: string, min = 0, max = maxWhole) => ({ doc, whole: [min, max] }) as const
export const flag = (doc: string) => ({ doc, flag: true }) as const
export const word = (doc: string, words: readonly string[]) => ({ doc, words }) as const
export const moment = (doc: string) => ({ doc, format: 'date-time' }) as const
export const needed = (doc: string) => ({ doc, required: true }) as const

/** The pages of a query. Without these parameters the reply has everything. */
export const queryPaging = {
  count: whole(
    'How many identifiers to return. Default 1,000 if `after` is sent, otherwise all (Kontor extension).',
    1,
    100_000,
  ),
  after: whole('The value of the header `Kontor-Next` of the previous page (Kontor extension).'),
} as const satisfies QueryParameters

const next = 'The value of the header `Kontor-Next` of the previous page.'
/** Parameters `after` of lists whose replies have the header `Kontor-Next`. */
export const nextPage = { whole: whole(next), id: { doc: next } } as const

/** A call that is not one of the standard verbs. */
export interface Route {
  readonly doc: string
  readonly access: Access
  readonly method: Method
  /** Path parameters in braces: `/storedsearch/{id}`. */
  readonly path: string
  /** Rules of path parameters, which the handler checks. Default: any text. */
  readonly params?: QueryParameters
  readonly query?: QueryParameters
  /** The type of the request body, sent in the formats that `formats` names. */
  readonly request?: Type
  readonly requestOptional?: boolean
  /** The request is an envelope with this container only. */
  readonly container?: string
  /** The body is a JSON list of this type. */
  readonly requestList?: Type
  /** The body is multipart/form-data: a file, and either a request of this type in the part `params` or a part `chunkId`. */
  readonly form?: Type | 'chunk'
  /** The body is a form (application/x-www-form-urlencoded) with the fields of this type. */
  readonly requestForm?: Type
  /** The body is the bytes of a file. */
  readonly requestBytes?: true
  readonly reply?: Type | 'text' | 'map' | 'string' | 'bytes'
  /** The media types of a reply of bytes. Default: application/octet-stream and any other, because a file has its own. */
  readonly media?: readonly string[]
  /** A failure status with which the reply itself may be sent, instead of the error envelope. */
  readonly repliesWith?: number
  /** The reply is a JSON list of this type. */
  readonly replyList?: Type
  /** A long poll: the call may wait for something to happen, always or when this query parameter is a positive number. */
  readonly waits?: true | string
  readonly formats: 'all' | 'json'
  readonly statuses: readonly number[]
  /** A caller without the right gets 401, because 403 is about the file. Default: 403 if it is listed. */
  readonly refusal?: 401
  /** True for a Kontor extension: a call that is not part of the original interface. */
  readonly own?: boolean
  /** The dates of deprecation and removal. Replies carry them as headers (RFC 9745, RFC 8594). */
  readonly deprecated?: { readonly since: string; readonly sunset: string }
  /** The permission that the call requires. Default: `read` for GET, `update` otherwise, on any kind of object. */
  readonly needs?: { readonly kind?: DataType; readonly action: RouteAction }
}
type RouteAction = 'read' | 'create' | 'update' | 'delete' | 'link' | 'checkout' | 'administer' | 'override' | 'share'

export interface Area {
  readonly base: string
  readonly doc: string
  readonly resources: Readonly<Record<string, Resource>>
  readonly routes: Readonly<Record<string, Route>>
}

/** Keeps the literal types, so that the compiler can check handlers against the exact declaration. */
export const area = <const A extends Area>(declared: A): A => declared
