import type { SpanKind, TraceMessage } from '../../../contract/traces/traces.schemas.ts'
import { boundedTime, countOf, firstText, type Json, type MappedSpan, textOf, usageOf } from './mapped-span.ts'
import { asText, contentText, messagesIn, parseIfJson } from './messages.ts'
import { isObject } from '../../../lib/json-value.ts'

const openInferenceKinds: Readonly<Record<string, SpanKind>> = {
  LLM: 'llm',
  CHAIN: 'chain',
  TOOL: 'tool',
  AGENT: 'agent',
  RETRIEVER: 'retriever',
  RERANKER: 'retriever',
  EMBEDDING: 'embedding',
  GUARDRAIL: 'guardrail',
  EVALUATOR: 'evaluator',
}

const operationKinds: Readonly<Record<string, SpanKind>> = {
  chat: 'llm',
  text_completion: 'llm',
  generate_content: 'llm',
  embeddings: 'embedding',
  execute_tool: 'tool',
  invoke_agent: 'agent',
  create_agent: 'agent',
  invoke_workflow: 'chain',
}

const traceloopKinds: Readonly<Record<string, SpanKind>> = { workflow: 'chain', task: 'chain', agent: 'agent', tool: 'tool' }

/** Of Langfuse's observations; a `generation` is a model call. */
const langfuseKinds: Readonly<Record<string, SpanKind>> = {
  generation: 'llm',
  embedding: 'embedding',
  tool: 'tool',
  agent: 'agent',
  chain: 'chain',
  retriever: 'retriever',
  evaluator: 'evaluator',
  guardrail: 'guardrail',
}

/** An OTLP span under the GenAI conventions (present and older), OpenInference, the AI SDK, Traceloop, Langfuse or Pydantic AI. */
export function mapOtlpSpan(raw: Json): MappedSpan {
  const attributes = objectOf(raw['attributes'])
  const events = Array.isArray(raw['events']) ? raw['events'].filter(isObject) : []
  const langfuseUsage = objectOf(parseIfJson(attributes['langfuse.observation.usage_details']))
  const status = objectOf(raw['status'])
  const startedAt = milliseconds(raw['startTimeUnixNano']) ?? 0
  const endedAt = milliseconds(raw['endTimeUnixNano'])
  const parentSpanId = textOf(raw['parentSpanId'])
  const exception = events.find(event => event['name'] === 'exception')
  const resource = objectOf(raw['resource'])
  return {
    traceId: asText(raw['traceId']),
    spanId: asText(raw['spanId']),
    parentSpanId,
    isRoot: parentSpanId === null,
    name: textOf(raw['name']) ?? 'span',
    kind: kindOf(attributes),
    startedAt,
    endedAt: endedAt !== null && endedAt >= startedAt ? endedAt : null,
    status: status['code'] === 2 ? 'error' : status['code'] === 1 ? 'ok' : 'unset',
    statusMessage: textOf(status['message']) ?? textOf(objectOf(exception?.['attributes'])['exception.message']),
    model: firstText(
      attributes,
      'gen_ai.response.model',
      'gen_ai.request.model',
      'llm.model_name',
      'ai.model.id',
      'embedding.model_name',
      'langfuse.observation.model.name',
    ),
    usage: usageOf({
      input_tokens:
        firstCount(
          attributes,
          'gen_ai.usage.input_tokens',
          'gen_ai.usage.prompt_tokens',
          'llm.token_count.prompt',
          'ai.usage.inputTokens',
          'ai.usage.promptTokens',
        ) ?? firstCount(langfuseUsage, 'input', 'input_tokens', 'prompt_tokens'),
      output_tokens:
        firstCount(
          attributes,
          'gen_ai.usage.output_tokens',
          'gen_ai.usage.completion_tokens',
          'llm.token_count.completion',
          'ai.usage.outputTokens',
          'ai.usage.completionTokens',
        ) ?? firstCount(langfuseUsage, 'output', 'output_tokens', 'completion_tokens'),
      cache_read_tokens: firstCount(
        attributes,
        'gen_ai.usage.cache_read.input_tokens',
        'gen_ai.usage.cache_read_input_tokens',
        'llm.token_count.prompt_details.cache_read',
        'ai.usage.cachedInputTokens',
      ),
      cache_write_tokens: firstCount(
        attributes,
        'gen_ai.usage.cache_write.input_tokens',
        'gen_ai.usage.cache_creation.input_tokens',
        'gen_ai.usage.cache_creation_input_tokens',
        'llm.token_count.prompt_details.cache_write',
      ),
    }),
    input: inputOf(attributes, events),
    output: outputOf(attributes, events),
    attributes: {
      ...attributes,
      ...Object.fromEntries(Object.entries(resource).map(([key, value]) => [`resource.${key}`, value])),
      ...(events.length > 0 ? { events } : {}),
    },
  }
}

function kindOf(attributes: Json): SpanKind {
  const sdk = textOf(attributes['ai.operationId']) ?? ''
  if (sdk !== '') return sdkKind(sdk)
  const named =
    openInferenceKinds[(textOf(attributes['openinference.span.kind']) ?? '').toUpperCase()] ??
    operationKinds[textOf(attributes['gen_ai.operation.name']) ?? ''] ??
    langfuseKinds[(textOf(attributes['langfuse.observation.type']) ?? '').toLowerCase()] ??
    traceloopKinds[textOf(attributes['traceloop.span.kind']) ?? '']
  if (named) return named
  const asksModel = ['gen_ai.request.model', 'llm.request.type', 'llm.model_name'].some(name => name in attributes)
  return asksModel ? 'llm' : 'other'
}

/** The AI SDK's outer spans repeat what their `do…` spans say, so that only those count as model calls. */
function sdkKind(operation: string): SpanKind {
  if (operation === 'ai.toolCall') return 'tool'
  if (operation.endsWith('.doEmbed')) return 'embedding'
  return /\.do[A-Z]/.test(operation) ? 'llm' : 'chain'
}

function inputOf(attributes: Json, events: readonly Json[]): TraceMessage[] {
  return firstList(
    () => withSystem(attributes, messagesIn(attributes['gen_ai.input.messages'], 'input')),
    () => flattened(attributes, 'gen_ai.prompt', 'input'),
    () => eventMessages(events, isPrompt),
    () => eventContents(events, 'gen_ai.input.messages', 'gen_ai.prompt', 'input'),
    () => eventMessages(attributeEvents(attributes), isPrompt),
    () => flattened(attributes, 'llm.input_messages', 'input'),
    () => messagesIn(attributes['input.value'], 'input'),
    () => messagesIn(attributes['ai.prompt.messages'] ?? attributes['ai.prompt'], 'input'),
    () => messagesIn(attributes['traceloop.entity.input'], 'input'),
    () => messagesIn(attributes['langfuse.observation.input'], 'input'),
    () => messagesIn(attributes['pydantic_ai.all_messages'], 'input'),
    () => messagesIn(attributes['gen_ai.tool.call.arguments'] ?? attributes['ai.toolCall.args'], 'input'),
  )
}

function outputOf(attributes: Json, events: readonly Json[]): TraceMessage[] {
  return firstList(
    () => messagesIn(attributes['gen_ai.output.messages'], 'output'),
    () => flattened(attributes, 'gen_ai.completion', 'output'),
    () => eventMessages(events, name => name === 'gen_ai.choice'),
    () => eventContents(events, 'gen_ai.output.messages', 'gen_ai.completion', 'output'),
    () => eventMessages(attributeEvents(attributes), name => name === 'gen_ai.choice'),
    () => flattened(attributes, 'llm.output_messages', 'output'),
    () => messagesIn(attributes['output.value'], 'output'),
    () => sdkResponse(attributes),
    () => messagesIn(attributes['traceloop.entity.output'], 'output'),
    () => messagesIn(attributes['langfuse.observation.output'], 'output'),
    () => messagesIn(attributes['final_result'], 'output'),
    () => messagesIn(attributes['gen_ai.tool.call.result'] ?? attributes['ai.toolCall.result'], 'output'),
  )
}

/** One list per span: the first that is present. */
function firstList(...lists: readonly (() => TraceMessage[])[]): TraceMessage[] {
  for (const list of lists) {
    const found = list()
    if (found.length > 0) return found
  }
  return []
}

function withSystem(attributes: Json, messages: TraceMessage[]): TraceMessage[] {
  const instructions = parseIfJson(attributes['gen_ai.system_instructions'])
  const content = instructions === undefined ? '' : contentText(instructions)
  return content === '' ? messages : [{ role: 'system', content }, ...messages]
}

function sdkResponse(attributes: Json): TraceMessage[] {
  const { 'ai.response.text': text, 'ai.response.object': object, 'ai.response.toolCalls': calls } = attributes
  if (text === undefined && object === undefined && calls === undefined) return []
  return messagesIn([{ role: 'assistant', content: asText(text ?? object), tool_calls: parseIfJson(calls) }], 'output')
}

const isPrompt = (name: string): boolean => /^gen_ai\.(?:system|user|assistant|tool)\.message$/.test(name)

/** Logfire and Pydantic AI write the events of a span into an attribute of it, as JSON. */
function attributeEvents(attributes: Json): readonly Json[] {
  const events = parseIfJson(attributes['events'] ?? attributes['all_messages_events'])
  return Array.isArray(events) ? events.filter(isObject).map(event => ({ name: event['event.name'], attributes: event })) : []
}

/** Older conventions: one event per message, its content in the attributes. */
function eventMessages(events: readonly Json[], isWanted: (name: string) => boolean): TraceMessage[] {
  return events
    .filter(event => isWanted(asText(event['name'])))
    .flatMap(event => {
      const held = objectOf(event['attributes'])
      const inner = parseIfJson(held['message'])
      const role = /^gen_ai\.(\w+)\.message$/.exec(asText(event['name']))?.[1] ?? 'assistant'
      return messagesIn([{ role, ...held, ...(isObject(inner) ? inner : {}) }], 'input')
    })
}

/** Conventions that keep all messages of a call in the attributes of one event. */
function eventContents(events: readonly Json[], name: string, olderName: string, role: 'input' | 'output'): TraceMessage[] {
  for (const event of events) {
    const held = objectOf(event['attributes'])
    const found = messagesIn(held[name] ?? held[olderName], role)
    if (found.length > 0) return found
  }
  return []
}

/** Messages that are spread over attributes: `<prefix>.<index>.<field>…`. */
function flattened(attributes: Json, prefix: string, role: 'input' | 'output'): TraceMessage[] {
  const tree = new Map<string, unknown>()
  for (const [key, value] of Object.entries(attributes))
    if (key.startsWith(`${prefix}.`)) place(tree, key.slice(prefix.length + 1).split('.'), value)
  return tree.size === 0 ? [] : messagesIn(collected(tree), role)
}

function place(tree: Map<string, unknown>, [head = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0 || rest.length > 12) {
    tree.set(head, value)
    return
  }
  const known = tree.get(head)
  const inner = known instanceof Map ? known : new Map<string, unknown>()
  tree.set(head, inner)
  place(inner, rest, value)
}

function collected(value: unknown): unknown {
  if (!(value instanceof Map)) return value
  const keys = [...value.keys()].map(String)
  if (keys.every(key => /^\d{1,6}$/.test(key))) return keys.sort((a, b) => Number(a) - Number(b)).map(key => collected(value.get(key)))
  return Object.fromEntries(keys.map(key => [key, collected(value.get(key))]))
}

function firstCount(attributes: Json, ...names: readonly string[]): number | null {
  for (const name of names) {
    const count = countOf(attributes[name])
    if (count !== null) return count
  }
  return null
}

function milliseconds(nanoseconds: unknown): number | null {
  if (typeof nanoseconds !== 'string') return null
  return boundedTime(Number(BigInt(nanoseconds) / 1000n) / 1000)
}

function objectOf(value: unknown): Json {
  return isObject(value) ? value : {}
}
