/**
 * The traces of recent changes by this process, so that deliveries to webhooks continue them. Changes by other processes
 * are not known here: the outbox has no place for them. Their deliveries begin a trace of their own.
 */
import { type TraceContext, traceContext } from '../adapters/tracing/tracing.ts'
import type { OutboxNotifier } from '../core/outbox/notifier.ts'
import { positionOf } from '../core/outbox/outbox.ts'

/** Changes that are remembered, for deliveries that are sent soon. */
const most = 10_000

export interface Origins {
  /** The trace of the change with this position. */
  of(eventId: string): TraceContext | undefined
  stop(): void
}

export function rememberOrigins(notifier: OutboxNotifier): Origins {
  const known = new Map<string, TraceContext>()
  const stop = notifier.subscribe((committed = []) => {
    const context = committed.length > 0 ? traceContext() : undefined
    if (!context) return
    for (const row of committed) known.set(positionOf(row), context)
    for (const oldest of known.keys()) {
      if (known.size <= most) break
      known.delete(oldest)
    }
  })
  return { of: (eventId) => known.get(eventId), stop }
}
