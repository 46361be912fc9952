/** The handlers of a resource: exactly the verbs of its contract; a missing or an extra one does not compile. */
import type { Action, Infer, Resource } from '@kontor/contract'
import type { Outcome } from './batch.ts'
import type { Context } from '../context.ts'
import type { Contents } from '../http/reply.ts'

export type ActionValue = Infer<typeof Action>
/** The outcome of each item, in order. An item that makes several objects (links) has one for each. */
export type Outcomes = readonly (Outcome | readonly Outcome[])[]
export type Act = (ctx: Context, actions: readonly ActionValue[]) => Promise<readonly Outcome[]>

/** The tids of a query in portions, each read while the one before is sent. */
export interface StreamedTids {
  readonly tids: AsyncIterable<readonly string[]>
}

interface Plans {
  /** Every statement of `persist` finds the rows of a small batch by key, so that its plan can be kept; see `byKey`. */
  readonly findsByKey?: true
}

interface Verbs<R extends Resource> {
  query: R['query'] extends { request: infer Q; reply: infer A }
    ? (ctx: Context, request: Infer<Q>) => Promise<Infer<A> | StreamedTids>
    : never
  retrieve: (ctx: Context, request: Infer<R['retrieve']>) => Promise<Contents>
  /** `containers`: the container of each object, for the few resources that accept several. */
  persist: (ctx: Context, objects: readonly Infer<R['item']>[], containers: readonly string[]) => Promise<Outcomes>
  perform: Record<keyof NonNullable<R['perform']>, Act>
}
export type Handlers<R extends Resource> = {
  [V in keyof Verbs<R> as V extends keyof R ? V : never]: Verbs<R>[V]
} & Plans
export type ResourceHandlers<Rs extends Readonly<Record<string, Resource>>> = { [N in keyof Rs]: Handlers<Rs[N]> }

/** Handlers with their types erased. The contract has checked every value before a handler gets it. */
interface AnyHandlers extends Plans {
  query?(ctx: Context, request: object): Promise<object>
  retrieve?(ctx: Context, request: object): Promise<Contents>
  persist?(ctx: Context, objects: readonly object[], containers: readonly string[]): Promise<Outcomes>
  readonly perform?: Readonly<Record<string, Act>>
}

/** A resource and its handlers, for the generic code. */
export interface Mounted {
  /** The URL path, which also identifies the resource in bulk runs. */
  readonly path: string
  readonly resource: Resource
  readonly handlers: AnyHandlers
}
