/**
 * Sends spans to an OpenTelemetry collector by OTLP over HTTP, as JSON. Imported only if tracing is on.
 *
 * The SDK reads some settings from the environment itself: those of the exporter, and the attributes of the process. A
 * collector that is away costs nothing but its spans: they wait in a bounded queue, and the ones beyond it are counted and
 * dropped.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api'
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Span, TraceContext, Tracing } from './tracing.ts'

/** Spans in one request, job or delivery. A long import would otherwise fill the queue. */
const mostSpans = 1000
/** Milliseconds to send the rest when the server stops. */
const flushTime = 3000

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const

interface Options {
  /** By its name in the specification of OpenTelemetry. */
  readonly sampler: string
  /** Of the traces that a sampler by ratio records. */
  readonly share: number
  /** Milliseconds between two sendings. */
  readonly delay: number
  /** Finished spans that may wait for the collector. */
  readonly mostWaiting: number
}

export function openTracing({ sampler, share, delay, mostWaiting }: Options): Tracing {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const { processor, counts, onOutage } = boundedProcessor(new OTLPTraceExporter(), delay, mostWaiting)
  const provider = new TracerProvider({
    sampler: samplerOf(sampler, share),
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'kontor', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [processor],
  })
  const tracer = provider.getTracer('kontor', version)
  const propagator = new W3CTraceContextPropagator()
  const contextOf = (span: SdkSpan) => trace.setSpan(ROOT_CONTEXT, span)

  const begin = (parent: Context, ...[name, kind, attributes]: Parameters<Span['open']>) =>
    tracer.startSpan(name, { kind: kinds[kind], attributes }, parent)
  const toSpan = (span: SdkSpan, inner: { opened: number }, isFirst = false): Span => {
    const { traceId, spanId } = span.spanContext()
    let hasEnded = false
    return {
      ids: { trace_id: traceId, span_id: spanId },
      get context() {
        const headers: TraceContext = {}
        propagator.inject(contextOf(span), headers, defaultTextMapSetter)
        return headers
      },
      hasEnded: () => hasEnded,
      open(...how) {
        if (!span.isRecording() || ++inner.opened > mostSpans) return undefined
        return toSpan(begin(contextOf(span), ...how), inner)
      },
      set: (attributes) => void span.setAttributes(attributes),
      fail: (type) => void span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR }),
      end() {
        if (isFirst && inner.opened > mostSpans) span.setAttribute('kontor.omitted_spans', inner.opened - mostSpans)
        hasEnded = true
        span.end()
      },
    }
  }
  return {
    begin: (name, kind, attributes, context = {}) => {
      const parent = propagator.extract(ROOT_CONTEXT, context, defaultTextMapGetter)
      return toSpan(begin(parent, name, kind, attributes), { opened: 0 }, true)
    },
    counts,
    onOutage,
    stop: () => Promise.race([provider.shutdown().catch(() => {}), pause(flushTime, undefined, { ref: false })]),
  }
}

function samplerOf(name: string, share: number): Sampler {
  const root = name.endsWith('always_on')
    ? new AlwaysOnSampler()
    : name.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(share)
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

/** The SDK's queue is bounded, too, but does not say how many spans it has dropped. So this one is never longer. */
function boundedProcessor(exporter: SpanExporter, delay: number, mostWaiting: number) {
  let [waiting, sent, lost] = [0, 0, 0]
  let report: (error?: Error) => void = () => {}
  let isAway = false
  const ended = (count: number, error: Error | undefined) => {
    waiting -= count
    if (error) lost += count
    else sent += count
    if (isAway === (error !== undefined)) return
    isAway = error !== undefined
    report(error)
  }
  const counting: SpanExporter = {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const isSent = result.code === ExportResultCode.SUCCESS
        ended(spans.length, isSent ? undefined : (result.error ?? new Error('the collector refused spans')))
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
  const batches = new BatchSpanProcessor({
    exporter: counting,
    scheduledDelayMillis: delay,
    maxQueueSize: mostWaiting,
    maxExportBatchSize: Math.min(512, mostWaiting),
  })
  const processor: SpanProcessor = {
    onStart: (span, context) => batches.onStart(span, context),
    onEnd(span) {
      if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return
      if (waiting >= mostWaiting) return void lost++
      waiting++
      batches.onEnd(span)
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  }
  return {
    processor,
    counts: () => ({ sent, lost }),
    onOutage: (called: typeof report) => void (report = called),
  }
}
