/**
 * The change feed as an async iterator: every event once and in order, until the consumer stops.
 *
 *   for await (const event of kontor.events.follow({ after: lastId })) { …; await store(event.id) }
 *
 * Store the id of the last event that you have processed. A consumer that starts again after that id misses nothing.
 * The feed uses long polling, which works through every proxy and is retried when a connection breaks.
 */
import { decode, EventPage, events, formats, type Infer, type KontorEvent } from '@kontor/contract'
import { bytesOf, type Signal, URLSearchParams } from './runtime.ts'
import type { Transport } from './transport.ts'

export interface FollowOptions {
  /** The id of the last event that was processed. Without it, the feed starts with the next event. */
  readonly after?: string | undefined
  /** Event types; * matches any part: `kontor.product.*`. */
  readonly types?: readonly string[]
  readonly signal?: Signal
}
export interface EventFeed {
  follow(options?: FollowOptions): AsyncIterable<Infer<typeof KontorEvent>>
}

/** Seconds that the server holds a request open while there are no events. */
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
        const page = decode(formats.json, EventPage, await bytesOf(reply)) as Infer<typeof EventPage>
        yield* page.events ?? []
        position = page.position
      }
    },
  }
}
