/** The span of a request. It continues the trace of the caller, if the request has a `traceparent`. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Span, type Tracing, within } from '../adapters/tracing/tracing.ts'
import type { Ended } from './requests.ts'

/**
 * Call it before other hooks are added, because they run inside the span. Returns `onEnd` with the end of the span around it.
 * Probes have no spans.
 */
export function traceRequests(
  app: FastifyInstance,
  tracing: Tracing | undefined,
  onEnd: (ended: Ended) => void,
): (ended: Ended) => void {
  if (!tracing) return onEnd
  tracing.onOutage((error) => {
    if (error) app.log.warn(`traces cannot be sent: ${error.message || (error as NodeJS.ErrnoException).code}`)
    else app.log.info('traces can be sent again')
  })
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config.probe) return done()
    const span = beginSpan(tracing, request)
    spans.set(request, span)
    within(span, done)
  })
  return (ended) => {
    const span = spans.get(ended.request)
    if (!span) return onEnd(ended)
    within(span, () => onEnd(ended))
    const { status } = ended
    if (typeof status === 'number') span.set({ 'http.response.status_code': status })
    if (status === 'broken' || status >= 500) span.fail(String(status))
    span.end()
  }
}

/** The path of the URL is left out: it has names of objects, and some addresses are secret. */
function beginSpan(tracing: Tracing, { method, routeOptions, protocol, headers, id }: FastifyRequest): Span {
  const route = routeOptions.url
  const { traceparent, tracestate } = headers as Record<string, string | undefined>
  const attributes = {
    'http.request.method': method,
    'url.scheme': protocol,
    'kontor.support_id': id,
    ...(route !== undefined && { 'http.route': route }),
  }
  return tracing.begin(route === undefined ? method : `${method} ${route}`, 'server', attributes, {
    traceparent,
    tracestate,
  })
}
