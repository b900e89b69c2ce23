import { mendJson } from '../../../lib/mend-json.ts'
import { type Json } from './mapped-span.ts'
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
import { finite, integer } from './otlp-protobuf.ts'
import { isObject } from '../../../lib/json-value.ts'

/**
 * Reads an ExportTraceServiceRequest in OTLP's JSON encoding: lowerCamelCase names, ids in hexadecimal or base64, 64-bit integers as texts or numbers,
 * enums as numbers. Unknown fields are ignored, as the specification asks.
 * @throws OtlpRequestError where the text is not such a request, or holds too much
 */
export function readOtlpJson(text: string, keep?: (text: string) => string): OtlpRequest {
  const request = parse(text)
  if (!isObject(request)) throw new OtlpRequestError('The body is not an OTLP trace request: it is no JSON object.')
  const intake = createOtlpIntake()
  const count = createValueBudget(keep)
  for (const resourceSpans of objects(request['resourceSpans'], 'resourceSpans')) {
    const resource = ofResource(() => attributesOf(objectOf(resourceSpans['resource'])['attributes'], count))
    for (const scopeSpans of objects(resourceSpans['scopeSpans'], 'scopeSpans')) {
      const { name, version } = objectOf(scopeSpans['scope'])
      const scope = ofResource(() => filled({ name: readText(name), version: readText(version) }))
      for (const span of objects(scopeSpans['spans'], 'spans')) {
        if (intake.isFull()) intake.refuse(`A request may hold at most ${otlpLimits.spans} spans.`)
        else intake.take(() => readSpan(span, resource, scope, count))
      }
    }
  }
  return intake.finish()
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new OtlpRequestError(`The body is not valid JSON. ${mendJson(text)}`)
  }
}

/** A resource has no span that could be rejected. */
function ofResource<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof OtlpSpanError ? new OtlpRequestError(error.message) : error
  }
}

function readSpan(span: Json, resource: Json, scope: Json, count: ValueBudget): OtlpSpan {
  const { code, message } = objectOf(span['status'])
  const isSaid = code !== undefined && code !== 0
  return assembleSpan({
    traceId: id(span['traceId']),
    spanId: id(span['spanId']),
    parentSpanId: id(span['parentSpanId']),
    name: readText(span['name']),
    kind: typeof span['kind'] === 'number' ? span['kind'] : 0,
    startTimeUnixNano: nanoseconds(span['startTimeUnixNano']),
    endTimeUnixNano: nanoseconds(span['endTimeUnixNano']),
    attributes: attributesOf(span['attributes'], count),
    events: list(span['events']).map(event => {
      count()
      const { timeUnixNano, name, attributes } = objectOf(event)
      return { name: readText(name), timeUnixNano: nanoseconds(timeUnixNano), attributes: attributesOf(attributes, count) }
    }),
    links: list(span['links']).map(link => {
      count()
      return { traceId: id(objectOf(link)['traceId']), spanId: id(objectOf(link)['spanId']) }
    }),
    status: isSaid || message ? { code: typeof code === 'number' ? code : 0, ...(message ? { message: readText(message) } : {}) } : {},
    resource,
    scope,
  })
}

function attributesOf(value: unknown, count: ValueBudget, depth = 0): Json {
  return Object.fromEntries(
    list(value).map(entry => {
      const { key, value: held } = objectOf(entry)
      return [readText(key), anyValue(held, count, depth)]
    }),
  )
}

function anyValue(value: unknown, count: ValueBudget, depth: number): unknown {
  count()
  if (depth > otlpLimits.depth) throw new OtlpSpanError(`An attribute is nested deeper than ${otlpLimits.depth} levels.`)
  const held = objectOf(value)
  if ('stringValue' in held) return readText(held['stringValue'], count.text)
  if ('boolValue' in held) return held['boolValue'] === true
  if ('intValue' in held) return integerOf(held['intValue'])
  if ('doubleValue' in held) return finite(Number(held['doubleValue']))
  if ('arrayValue' in held) return list(objectOf(held['arrayValue'])['values']).map(item => anyValue(item, count, depth + 1))
  if ('kvlistValue' in held) return attributesOf(objectOf(held['kvlistValue'])['values'], count, depth + 1)
  return 'bytesValue' in held ? readText(held['bytesValue'], count.text) : null
}

function integerOf(value: unknown): number | string {
  if (typeof value === 'number' && Number.isInteger(value)) return integer(value)
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) return integer(value)
  throw new OtlpSpanError('An integer attribute holds no integer.')
}

function nanoseconds(value: unknown): string {
  if (value === undefined || value === null || value === '') return '0'
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return BigInt(value).toString()
  if (typeof value === 'string' && /^\d{1,20}$/.test(value)) return BigInt(value).toString()
  throw new OtlpSpanError('A time is no count of nanoseconds.')
}

/** Ids are hexadecimal; protobuf's own JSON writer, which some exporters use, makes base64 of the 16 or 8 bytes. */
function id(value: unknown): string {
  if (typeof value !== 'string') return ''
  return /^(?:[\w+/-]{22}==|[\w+/-]{11}=)$/.test(value) ? Buffer.from(value, 'base64').toString('hex') : value.toLowerCase()
}

function readText(value: unknown, bound = cutText): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw new OtlpSpanError('A text is of another type.')
  return bound(value)
}

function list(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new OtlpSpanError('A list is of another type.')
  return value
}

function objects(value: unknown, name: string): readonly Json[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || !value.every(isObject))
    throw new OtlpRequestError(`The body is not an OTLP trace request: ${name} is no list.`)
  return value
}

function objectOf(value: unknown): Json {
  return isObject(value) ? value : {}
}

function filled(value: Json): Json {
  return Object.fromEntries(Object.entries(value).filter(([, text]) => text !== ''))
}
