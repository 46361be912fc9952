/**
 * Data that a page needs first. A page's module may export a `Prefetch` beside its component: the router calls it as soon as
 * the pointer or the focus is on a link to the page, so that the page opens with its data.
 */
import type { Client } from '@kontor/sdk'
import type { QueryClient } from '@tanstack/react-query'

export interface PrefetchContext {
  readonly client: Client
  readonly queries: QueryClient
}
/** `place`: the variable parts of the path and the parameters of the URL. */
export type Prefetch = (context: PrefetchContext, place: Readonly<Record<string, string | undefined>>) => void
