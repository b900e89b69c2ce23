import { BinaryReader, type WireType } from '@bufbuild/protobuf/wire'
import type { Json } from './mapped-span.ts'
import {
  assembleSpan,
  createOtlpIntake,
  createValueBudget,
  cutText,
  otlpLimits,
  type OtlpRequest,
  OtlpRequestError,
  type OtlpSpan,
  OtlpSpanError,
  type ValueBudget,
} from './otlp-request.ts'

/**
 * Reads an ExportTraceServiceRequest in protobuf. Field numbers: opentelemetry-proto v1 (`collector/trace`, `trace`, `common`, `resource`),
 * which are frozen; unknown fields are skipped.
 * @throws OtlpRequestError where the bytes are not such a message, or hold too much
 */
export function readOtlpProtobuf(bytes: Uint8Array, keep?: (text: string) => string): OtlpRequest {
  const intake = createOtlpIntake()
  const count = createValueBudget(keep)
  try {
    fields(bytes, {
      1: reader => {
        const resourceSpans = reader.bytes()
        let resource: Json = {}
        fields(resourceSpans, { 1: inner => void (resource = readAttributes(inner.bytes(), 1, count)) })
        fields(resourceSpans, { 2: inner => readScopeSpans(inner.bytes(), resource) })
      },
    })
  } catch (error) {
    if (error instanceof OtlpRequestError) throw error
    throw new OtlpRequestError(`The body is not an OTLP trace request: ${error instanceof Error ? error.message : 'unreadable'}.`)
  }
  return intake.finish()

  function readScopeSpans(scopeSpans: Uint8Array, resource: Json): void {
    let scope: Json = {}
    fields(scopeSpans, { 1: inner => void (scope = readScope(inner.bytes())) })
    fields(scopeSpans, {
      2: inner => {
        const span = inner.bytes()
        if (intake.isFull()) intake.refuse(`A request may hold at most ${otlpLimits.spans} spans.`)
        else intake.take(() => readSpan(span, resource, scope, count))
      },
    })
  }
}

type FieldReaders = Readonly<Record<number, (reader: BinaryReader, type: WireType) => void>>

/** Visits the fields of a message in their order. */
function fields(message: Uint8Array, readers: FieldReaders): void {
  const reader = new BinaryReader(message)
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag()
    const read = readers[number]
    if (read) read(reader, type)
    else reader.skip(type, number, otlpLimits.depth)
  }
}

function readScope(message: Uint8Array): Json {
  const scope: Record<string, unknown> = {}
  fields(message, { 1: r => void (scope['name'] = cutText(r.string())), 2: r => void (scope['version'] = cutText(r.string())) })
  return Object.fromEntries(Object.entries(scope).filter(([, value]) => value !== ''))
}

function readSpan(message: Uint8Array, resource: Json, scope: Json, count: ValueBudget): OtlpSpan {
  const ids = { traceId: '', spanId: '', parentSpanId: '' }
  const said = { name: '', kind: 0, startTimeUnixNano: '0', endTimeUnixNano: '0' }
  const attributes: [string, unknown][] = []
  const events: Json[] = []
  const links: Json[] = []
  let status: Json = {}
  fields(message, {
    1: r => void (ids.traceId = hex(r.bytes())),
    2: r => void (ids.spanId = hex(r.bytes())),
    4: r => void (ids.parentSpanId = hex(r.bytes())),
    5: r => void (said.name = cutText(r.string())),
    6: r => void (said.kind = r.int32()),
    7: r => void (said.startTimeUnixNano = String(r.fixed64())),
    8: r => void (said.endTimeUnixNano = String(r.fixed64())),
    9: r => void attributes.push(readKeyValue(r.bytes(), count, 0)),
    11: r => void events.push(readEvent(r.bytes(), count)),
    13: r => void links.push(readLink(r.bytes(), count)),
    15: r => void (status = readStatus(r.bytes())),
  })
  return assembleSpan({ ...ids, ...said, attributes: Object.fromEntries(attributes), events, links, status, resource, scope })
}

function readEvent(message: Uint8Array, count: ValueBudget): Json {
  count()
  const attributes: [string, unknown][] = []
  const event = { name: '', timeUnixNano: '0' }
  fields(message, {
    1: r => void (event.timeUnixNano = String(r.fixed64())),
    2: r => void (event.name = cutText(r.string())),
    3: r => void attributes.push(readKeyValue(r.bytes(), count, 0)),
  })
  return { ...event, attributes: Object.fromEntries(attributes) }
}

function readLink(message: Uint8Array, count: ValueBudget): Json {
  count()
  const link = { traceId: '', spanId: '' }
  fields(message, { 1: r => void (link.traceId = hex(r.bytes())), 2: r => void (link.spanId = hex(r.bytes())) })
  return link
}

function readStatus(message: Uint8Array): Json {
  const status: { code: number; message?: string } = { code: 0 }
  fields(message, { 2: r => void (status.message = cutText(r.string())), 3: r => void (status.code = r.int32()) })
  return status.code === 0 && !status.message ? {} : status
}

/** The attributes in a repeated field of KeyValue. */
function readAttributes(message: Uint8Array, field: number, count: ValueBudget): Json {
  const entries: [string, unknown][] = []
  try {
    fields(message, { [field]: r => void entries.push(readKeyValue(r.bytes(), count, 0)) })
  } catch (error) {
    // A resource has no span that could be rejected.
    throw error instanceof OtlpSpanError ? new OtlpRequestError(error.message) : error
  }
  return Object.fromEntries(entries)
}

function readKeyValue(message: Uint8Array, count: ValueBudget, depth: number): [string, unknown] {
  let key = ''
  let value: unknown = null
  fields(message, { 1: r => void (key = r.string()), 2: r => void (value = readAnyValue(r.bytes(), count, depth)) })
  return [key, value]
}

function readAnyValue(message: Uint8Array, count: ValueBudget, depth: number): unknown {
  count()
  if (depth > otlpLimits.depth) throw new OtlpSpanError(`An attribute is nested deeper than ${otlpLimits.depth} levels.`)
  let value: unknown = null
  fields(message, {
    1: r => void (value = count.text(r.string())),
    2: r => void (value = r.bool()),
    3: r => void (value = integer(r.int64())),
    4: r => void (value = finite(r.double())),
    5: r => {
      const items: unknown[] = []
      fields(r.bytes(), { 1: inner => void items.push(readAnyValue(inner.bytes(), count, depth + 1)) })
      value = items
    },
    6: r => {
      const entries: [string, unknown][] = []
      fields(r.bytes(), { 1: inner => void entries.push(readKeyValue(inner.bytes(), count, depth + 1)) })
      value = Object.fromEntries(entries)
    },
    7: r => void (value = count.text(Buffer.from(r.bytes()).toString('base64'))),
  })
  return value
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

/** A number where it is exact, else its decimal text. */
export function integer(value: bigint | string | number): number | string {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}

/** JSON has no infinity and no NaN; they are kept as their names. */
export function finite(value: number): number | string {
  return Number.isFinite(value) ? value : String(value)
}
