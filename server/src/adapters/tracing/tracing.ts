/**
 * Traces: a span for each request, job and delivery, and spans inside it for statements, searches and outgoing calls.
 *
 * The current span is in an AsyncLocalStorage. Only code that was given a `Tracing` opens the first span. Without one the
 * storage stays empty, and everything here does nothing. Background work (polling, the search feed) has no span.
 *
 * Attributes never contain data of messages: routes are patterns, statements have placeholders, failures are types.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

type Attributes = Readonly<Record<string, string | number | boolean>>
type Kind = 'server' | 'client' | 'consumer' | 'internal'

/** The place of a span in its trace, as the headers of W3C Trace Context. */
export interface TraceContext {
  readonly traceparent?: string | undefined
  readonly tracestate?: string | undefined
}

export interface Span {
  readonly context: TraceContext
  /** For the lines of the log. */
  readonly ids: { readonly trace_id: string; readonly span_id: string }
  hasEnded(): boolean
  /** Opens a span inside this one; undefined if the trace is not sampled, or has enough of them. */
  open(name: string, kind: Kind, attributes: Attributes): Span | undefined
  set(attributes: Attributes): void
  /** The message of an error can contain data, so only its type is recorded. */
  fail(type: string): void
  end(): void
}

export interface Tracing {
  /** Opens the first span of this process in a trace, which begins here unless a context is given. */
  begin(name: string, kind: Kind, attributes: Attributes, context?: TraceContext): Span
  counts(): { readonly sent: number; readonly lost: number }
  /** Calls `report` when spans cannot be sent, and without an error when they can be sent again. */
  onOutage(report: (error?: Error) => void): void
  /** Sends the spans that wait, for a few seconds at most. */
  stop(): Promise<void>
}

const storage = new AsyncLocalStorage<Span>()

/** Background work that a request has started still has its span in the storage when the request has ended. */
function currentSpan(): Span | undefined {
  const span = storage.getStore()
  return span?.hasEnded() ? undefined : span
}

export const isTraced = () => currentSpan() !== undefined
/** The context for other processes: headers of a call, part of a job. */
export const traceContext = (): TraceContext | undefined => currentSpan()?.context
export const traceIds = () => currentSpan()?.ids ?? {}

/** Makes a span the current one for `work` and everything that it starts. */
export const within = <T>(span: Span, work: () => T): T => storage.run(span, work)

/** Runs `work` in a span of the current trace. Without one it just runs. */
export function inSpan<T>(
  name: string,
  kind: Kind,
  attributes: Attributes,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  const span = currentSpan()?.open(name, kind, attributes)
  return span ? untilEnd(span, work) : work()
}

/** Runs `work` in a span, which ends with it. */
export async function untilEnd<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await storage.run(span, work, span)
  } catch (error) {
    span.fail(typeOf(error))
    throw error
  } finally {
    span.end()
  }
}

function typeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return [code, name].find((text): text is string => typeof text === 'string' && /^\w{1,50}$/.test(text)) ?? '_OTHER'
}
