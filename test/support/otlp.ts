import { type Attributes, context, SpanStatusCode, trace } from '@opentelemetry/api'
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'

export interface RecordedSpan {
  readonly name: string
  readonly attributes?: Attributes
  readonly events?: readonly { readonly name: string; readonly attributes: Attributes }[]
  readonly error?: string
  readonly children?: readonly RecordedSpan[]
}

/** Records traces with OpenTelemetry's own SDK. */
export async function recordSpans(roots: readonly RecordedSpan[], exporter: SpanExporter): Promise<void> {
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  const tracer = provider.getTracer('test', '1.0.0')
  const record = ({ name, attributes = {}, events = [], error, children = [] }: RecordedSpan, parent = context.active()) => {
    const span = tracer.startSpan(name, { attributes }, parent)
    for (const event of events) span.addEvent(event.name, event.attributes)
    for (const child of children) record(child, trace.setSpan(parent, span))
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error })
    span.end()
  }
  for (const root of roots) record(root)
  await provider.forceFlush()
  await provider.shutdown()
}

/** The same, kept in memory. */
export async function readableSpans(roots: readonly RecordedSpan[]): Promise<ReadableSpan[]> {
  const memory = new InMemorySpanExporter()
  let spans: ReadableSpan[] = []
  await recordSpans(roots, {
    export: (batch, done) => {
      spans = [...spans, ...batch]
      memory.export(batch, done)
    },
    shutdown: () => memory.shutdown(),
  })
  return spans
}
