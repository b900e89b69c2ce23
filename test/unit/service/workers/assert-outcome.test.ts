import { expect, test } from 'vitest'
import { z } from 'zod'
import { api } from '../../../../src/contract/api.ts'
import type { Endpoint } from '../../../../src/contract/endpoint.ts'
import { callReportLimits } from '../../../../src/contract/workers/worker-calls.schemas.ts'
import { WorkerOutcome } from '../../../../src/contract/workers/workers.schemas.ts'
import { assertOutcome } from '../../../../src/service/workers/assert-outcome.ts'
import type { BatchContent } from '../../../../src/service/workers/hold-limit.ts'
import { messageOf } from '../../../../src/lib/message-of.ts'

const content: BatchContent = {
  kind: 'grade',
  metrics: [{ scorer: 'evalplus/base', options: {} }],
  inputs: [{ output: 'def f(): return 1', targets: [] }],
}
const score = { value: 1, class: 'correct', answer: null, answerSpan: null, explanation: '' }

/** What the door says to one score, by schema or by batch; null: accepted. */
function refusal(change: object): string | null {
  const parsed = WorkerOutcome.safeParse({ kind: 'grade', scores: [[{ ...score, ...change }]] })
  if (!parsed.success) return 'schema'
  try {
    assertOutcome(content, parsed.data)
    return null
  } catch (error) {
    return messageOf(error)
  }
}

test.each([
  {},
  { value: 0, class: 'wrong' },
  { value: 0.25, class: 'partial' },
  { value: null, class: 'too_slow' },
  { answer: 'def f()', answerSpan: { start: 0, end: 7 }, label: 'passed' },
])('accepts a score that a scorer of code can give: %j', change => {
  expect(refusal(change)).toBeNull()
})

test.each([
  { value: 1.01 },
  { value: -1, class: 'wrong' },
  { value: 1e308 },
  { value: null },
  { value: 1, class: 'unscored' },
  { counts: { correct: 1e9 } },
  { values: { base: 7 } },
  { answer: 'def', answerSpan: { start: -1, end: 2 } },
  { explanation: 'x'.repeat(100_001) },
])('refuses by its schema a score that none can give: %j', change => {
  expect(refusal(change)).toBe('schema')
})

test('refuses a class that is not that of the value, and a span outside of the output', () => {
  expect(refusal({ value: 0, class: 'correct' })).toContain('scores[0][0] must have the class "wrong" for the value 0')
  expect(refusal({ value: 0.5, class: 'wrong' })).toContain('must have the class "partial"')
  for (const answerSpan of [
    { start: 0, end: 18 },
    { start: 5, end: 4 },
  ])
    expect(refusal({ answer: 'def', answerSpan })).toContain('inside of the output of 17 characters')
})

test('refuses calls with more tokens than a model has, and pauses that no timer can wait', () => {
  const wire = { request: null, response: null, httpStatus: 429, latencyMs: 1 }
  const failed = { ok: false, code: 'rate_limited', message: 'x', retryAfterMs: 1, ...wire }
  const isFine = (change: object) => WorkerOutcome.safeParse({ kind: 'call', call: { ...failed, ...change } }).success
  expect(isFine({})).toBe(true)
  expect(isFine({ retryAfterMs: 2 ** 31 })).toBe(false)
  expect(isFine({ latencyMs: 1e300 })).toBe(false)
  expect(isFine({ usage: { inputTokens: 2e9, outputTokens: 0 } })).toBe(false)
})

/** Cut to what a call can cost by whoever counts it. */
const counted = ['statedPicoUsd']
/** Bounded as JSON, which no schema can say. */
const measured = ['carried']
const Node = z.looseObject({ type: z.unknown().optional(), pattern: z.string().catch('+'), maximum: z.number().optional() })

/** Places of a JSON schema that take texts, numbers or lists without an end, or members of any name. */
function unbounded(schema: unknown, name: string, place: string): string[] {
  if (Array.isArray(schema)) return schema.flatMap((inner, i) => unbounded(inner, name, `${place}/${i}`))
  const node = Node.safeParse(schema).data
  if (!node) return []
  const has = (...keys: string[]) => keys.some(key => key in node)
  const lacks: Readonly<Record<string, boolean>> = {
    string:
      !has('enum', 'const', 'maxLength') && !['uuid', 'date-time'].includes(String(node['format'])) && !/^\^[^*+]*\$$/.test(node.pattern),
    integer: (node.maximum ?? Number.MAX_SAFE_INTEGER) >= Number.MAX_SAFE_INTEGER && !has('const') && !counted.includes(name),
    number: node.maximum === undefined,
    array: !has('maxItems'),
    object: node['additionalProperties'] !== false && !measured.includes(name),
  }
  const inner = Object.entries(node).flatMap(([key, value]) => {
    const isName = key !== 'properties' && !/\/(?:properties|\$defs)$/.test(place)
    return unbounded(value, isName ? name : key, `${place}/${key}`)
  })
  return [...(typeof node.type === 'string' && lacks[node.type] === true ? [place] : []), ...inner]
}

test('everything that a worker may send has a maximum', () => {
  const bodies = Object.entries<Endpoint>(api).flatMap(([id, endpoint]) =>
    endpoint.path.startsWith('/v1/workers') && endpoint.body ? [[id, endpoint.body] as const] : [],
  )
  expect(bodies.map(([id]) => id)).toEqual(expect.arrayContaining(['reportWorker', 'takeBatch', 'reportBatch']))
  const found = bodies.flatMap(([id, body]) => unbounded(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }), '', id))
  expect(found).toEqual([])
})

test('what a call carries is no longer than a response', () => {
  const call = {
    ok: true,
    output: '',
    finishReason: null,
    refused: false,
    usage: null,
    request: null,
    response: null,
    httpStatus: 200,
    latencyMs: 1,
  }
  const accepts = (carried: object) => WorkerOutcome.safeParse({ kind: 'call', call: { ...call, carried } }).success
  expect(accepts({ signature: 'x'.repeat(100_000) })).toBe(true)
  expect(accepts({ signature: 'x'.repeat(callReportLimits.text) })).toBe(false)
})
