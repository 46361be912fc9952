/**
 * The change feed as an async iterator: every event once, in order, for as long as one listens.
 *
 *   for await (const event of kontor.events.follow({ after: kept })) { …; await keep(event.id) }
 *
 * Keep the id of the last event that was dealt with; whoever comes back with it misses nothing. It asks and waits
 * (long-poll), which passes every proxy and is repeated when a connection breaks.
 */
import { decode, EventPage, events, formats, type Infer, type KontorEvent } from '@kontor/contract'
import { type Signal, URLSearchParams } from './surroundings.ts'
import type { Transport } from './transport.ts'

export interface FollowOptions {
  /** The id of the last event that was dealt with; from now on when absent. */
  readonly after?: string | undefined
  /** Types of events, * for any part: `kontor.product.*`. */
  readonly types?: readonly string[]
  readonly signal?: Signal
}
export interface EventFeed {
  follow(options?: FollowOptions): AsyncIterable<Infer<typeof KontorEvent>>
}

/** Seconds that one call waits. */
const wait = '25'

export function eventFeed(transport: Transport): EventFeed {
  return {
    async *follow({ after, types = [], signal } = {}) {
      for (let position = after; ;) {
        if (signal?.aborted) return
        const query = { wait, ...(position !== undefined && { after: position }), ...(types.length > 0 && { types: types.join(',') }) } // prettier-ignore
        const path = `${events.base}?${new URLSearchParams(query).toString()}`
        const headers = { accept: formats.json.mediaType }
        const reply = await transport.send({ method: 'GET', path, headers, signal })
        const page = decode(formats.json, EventPage, new Uint8Array(await reply.arrayBuffer())) as Infer<
          typeof EventPage
        >
        yield* page.events ?? []
        position = page.position
      }
    },
  }
}
