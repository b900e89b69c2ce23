import type { SpanKind, TraceSource } from '../../../contract/traces/traces.schemas.ts'
import { countOf, firstText, isDeeperThan, type Json, type MappedSpan, textOf, timeOf, usageOf } from './mapped-span.ts'
import { messagesIn, parseIfJson } from './messages.ts'
import { mapOtlpSpan } from './otlp-span.ts'
import { isObject } from '../../../lib/json-value.ts'

/** Why a record is not a span that can be kept. */
export class UnusableSpanError extends Error {}

const mostLevels = 200

const mappers: Readonly<Record<TraceSource, (raw: Json) => MappedSpan>> = {
  otlp: mapOtlpSpan,
  langfuse: mapLangfuseObservation,
  langsmith: mapLangsmithRun,
  braintrust: mapBraintrustSpan,
}

/**
 * Reads a raw span of a source. Pure, and applied again whenever a trace is read, so that a better mapping needs no migration.
 * @throws UnusableSpanError where there is no id or no start
 */
export function mapSpan(source: TraceSource, raw: Json): MappedSpan {
  if (isDeeperThan(raw, mostLevels)) throw new UnusableSpanError(`is nested deeper than ${mostLevels} levels`)
  return mappers[source](raw)
}

function required<T>(value: T | null, what: string): T {
  if (value === null) throw new UnusableSpanError(`has no ${what}`)
  return value
}

const langfuseKinds: Readonly<Record<string, SpanKind>> = {
  generation: 'llm',
  agent: 'agent',
  chain: 'chain',
  tool: 'tool',
  retriever: 'retriever',
  embedding: 'embedding',
  guardrail: 'guardrail',
  evaluator: 'evaluator',
  event: 'event',
}

/** An observation of the v2 or v1 API. Inputs and outputs of v2 are always texts. */
function mapLangfuseObservation(raw: Json): MappedSpan {
  const { input, output, ...attributes } = raw
  const usage = isObject(raw['usageDetails']) ? raw['usageDetails'] : {}
  const spanId = required(textOf(raw['id']), 'id')
  const level = textOf(raw['level'])
  return {
    traceId: textOf(raw['traceId']) ?? spanId,
    spanId,
    parentSpanId: textOf(raw['parentObservationId']),
    isRoot: raw['isRootObservation'] === true || textOf(raw['parentObservationId']) === null,
    name: firstText(raw, 'name', 'traceName', 'type') ?? spanId,
    kind: langfuseKinds[(textOf(raw['type']) ?? '').toLowerCase()] ?? 'other',
    startedAt: required(timeOf(raw['startTime']), 'start time'),
    endedAt: timeOf(raw['endTime']),
    status: level === 'ERROR' ? 'error' : 'ok',
    statusMessage: textOf(raw['statusMessage']),
    model: firstText(raw, 'providedModelName', 'model'),
    usage: usageOf({
      input_tokens: countOf(usage['input']),
      output_tokens: countOf(usage['output']),
      cache_read_tokens: countOf(usage['input_cached_tokens'] ?? usage['cache_read_input_tokens']),
      cache_write_tokens: countOf(usage['cache_creation_input_tokens']),
    }),
    input: messagesIn(input, 'input'),
    output: messagesIn(output, 'output'),
    attributes,
  }
}

const langsmithKinds: Readonly<Record<string, SpanKind>> = {
  llm: 'llm',
  chain: 'chain',
  tool: 'tool',
  retriever: 'retriever',
  embedding: 'embedding',
}

/** A run of the v2 API; v1 differs in letter case, in the name of the parent and in costs as texts. */
function mapLangsmithRun(raw: Json): MappedSpan {
  const { inputs, outputs, query_metadata: _, ...attributes } = raw
  const spanId = required(textOf(raw['id']), 'id')
  const parents = Array.isArray(raw['parent_run_ids']) ? raw['parent_run_ids'] : []
  const parentSpanId = textOf(parents.at(-1)) ?? textOf(raw['parent_run_id'])
  const error = firstText(raw, 'error', 'error_preview')
  const extra = isObject(raw['extra']) ? raw['extra'] : {}
  const metadata = isObject(raw['metadata']) ? raw['metadata'] : isObject(extra['metadata']) ? extra['metadata'] : {}
  return {
    traceId: textOf(raw['trace_id']) ?? spanId,
    spanId,
    parentSpanId,
    isRoot: parentSpanId === null,
    name: textOf(raw['name']) ?? spanId,
    kind: langsmithKinds[(textOf(raw['run_type']) ?? '').toLowerCase()] ?? 'other',
    startedAt: required(timeOf(raw['start_time']), 'start time'),
    endedAt: timeOf(raw['end_time']),
    status: error !== null || /^error$/i.test(textOf(raw['status']) ?? '') ? 'error' : 'ok',
    statusMessage: error,
    model: firstText(metadata, 'ls_model_name', 'model_name', 'model'),
    usage: usageOf({
      input_tokens: countOf(raw['prompt_tokens']),
      output_tokens: countOf(raw['completion_tokens']),
      cache_read_tokens: null,
      cache_write_tokens: null,
    }),
    input: messagesIn(unwrapped(inputs), 'input'),
    output: messagesIn(unwrapped(outputs), 'output'),
    attributes,
  }
}

/** `{question: "…"}` and `{output: "…"}` hold one text: that is the message. */
function unwrapped(value: unknown): unknown {
  if (!isObject(value)) return value
  const entries = Object.values(value)
  return entries.length === 1 && typeof entries[0] === 'string' ? entries[0] : value
}

const braintrustKinds: Readonly<Record<string, SpanKind>> = {
  llm: 'llm',
  task: 'chain',
  eval: 'chain',
  function: 'chain',
  tool: 'tool',
  score: 'evaluator',
  classifier: 'evaluator',
  facet: 'evaluator',
  review: 'evaluator',
}

/** A row of `project_logs(…) spans`. */
function mapBraintrustSpan(raw: Json): MappedSpan {
  const { input, output, ...attributes } = raw
  const metrics = isObject(raw['metrics']) ? raw['metrics'] : {}
  const about = isObject(raw['span_attributes']) ? raw['span_attributes'] : {}
  const metadata = isObject(raw['metadata']) ? raw['metadata'] : {}
  const spanId = required(textOf(raw['span_id']) ?? textOf(raw['id']), 'id')
  const parents = Array.isArray(raw['span_parents']) ? raw['span_parents'] : []
  const seconds = (value: unknown) => (typeof value === 'number' && value > 0 && value < 253_402_300_800 ? value * 1000 : null)
  const error = parseIfJson(raw['error'])
  const hasError = error !== null && error !== undefined && error !== ''
  return {
    traceId: textOf(raw['root_span_id']) ?? spanId,
    spanId,
    parentSpanId: textOf(parents.at(-1)),
    isRoot: raw['is_root'] === true || parents.length === 0,
    name: textOf(about['name']) ?? 'span',
    kind: about['purpose'] === 'scorer' ? 'evaluator' : (braintrustKinds[textOf(about['type']) ?? ''] ?? 'other'),
    startedAt: required(seconds(metrics['start']) ?? timeOf(raw['created']), 'start time'),
    endedAt: seconds(metrics['end']),
    status: hasError ? 'error' : 'ok',
    statusMessage: hasError ? (typeof error === 'string' ? error : JSON.stringify(error)) : null,
    model: textOf(metadata['model']),
    usage: usageOf({
      input_tokens: countOf(metrics['prompt_tokens']),
      output_tokens: countOf(metrics['completion_tokens']),
      cache_read_tokens: countOf(metrics['prompt_cached_tokens']),
      cache_write_tokens: countOf(metrics['prompt_cache_creation_tokens']),
    }),
    input: messagesIn(input, 'input'),
    output: messagesIn(output, 'output'),
    attributes,
  }
}
