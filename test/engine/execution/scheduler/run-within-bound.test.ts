import { contentText } from '../../../../src/contract/messages/message-text.ts'
import fc from 'fast-check'
import { beforeEach, expect, test, vi } from 'vitest'
import type { ModelRequest } from '../../../../src/engine/clients/model-client.ts'
import type { TokenRates } from '../../../../src/engine/clients/pricing/pricing.ts'
import { countTokens } from '../../../../src/engine/clients/tokens/count-tokens.ts'
import { environmentFamilies } from '../../../../src/engine/execution/environments/families/families.ts'
import { sampleUpperBound } from '../../../../src/engine/execution/samples/sample-bound.ts'
import { createEndpointLimiter } from '../../../../src/engine/execution/scheduler/endpoint-limiter.ts'
import { executeRun } from '../../../../src/engine/execution/scheduler/execute-run.ts'
import type { ProfilePlan } from '../../../../src/engine/execution/scheduler/ports.ts'
import type { Task } from '../../../../src/engine/tasks/task.ts'
import { answered, closedCircuit, failed, planWith, portsWith, profile, task } from './fixtures.ts'
import { memoryStore } from './memory-store.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

const sentences = [
  'A train leaves at 9 and travels 120 km in two hours.',
  'ባቡሩ በዘጠኝ ሰዓት ተነስቶ መቶ ሃያ ኪሎ ሜትር ይጓዛል።',
  '列車は九時に出発し、二時間で百二十キロ進む。',
  'Поезд выходит в девять и за два часа проходит 120 км.',
  'རྐྱེན་འདི་ནི་དཔེ་ཞིག་ཡིན།',
  'قطار يغادر في التاسعة ويقطع مئة وعشرين كيلومترا',
  'for (let i = 0; i < 10; i++) { total += (rates[i] ?? 0) * 1e-6 } // 🚄🚄',
  'aXJ0bGVzcw==/9f8e7d6c5b4a$%^&*()_+{}|~',
]

const anyText = fc
  .array(fc.oneof(fc.constantFrom(...sentences), fc.string({ unit: 'binary', maxLength: 60 })), { minLength: 1, maxLength: 8 })
  .map(parts => parts.join(' ').toWellFormed())

const anyRates = fc.record({
  inputMicroUsdPerMillion: fc.bigInt({ min: 0n, max: 80_000_000n }),
  outputMicroUsdPerMillion: fc.bigInt({ min: 1n, max: 200_000_000n }),
})

/** A provider that counts every prompt with a real tokenizer, what it adds to it, and answers as long as it may. */
function usageOf({ messages, tools = [], maxOutputTokens }: ModelRequest) {
  const counted = messages.reduce((sum, message) => {
    const calls = 'toolCalls' in message ? JSON.stringify(message.toolCalls.map(call => [call.name, call.arguments])) : ''
    // What the model wrote took it at most its output limit.
    const text =
      message.role === 'assistant'
        ? Math.min(countTokens(contentText(message.content) + calls), maxOutputTokens)
        : countTokens(contentText(message.content))
    return sum + text + 7
  }, 0)
  return { inputTokens: counted + (tools.length > 0 ? 346 + countTokens(JSON.stringify(tools)) : 0), outputTokens: maxOutputTokens }
}

/** A failure that says nothing about the endpoint: one that fails everybody is waited for without using attempts. */
const failedByItself = () => failed('timeout', { httpStatus: 200 })

interface Spending {
  readonly profile: ProfilePlan
  readonly tasks: readonly Task[]
  readonly epochs: number
  readonly maxAttempts: number
  readonly rates: TokenRates
  readonly concurrency: number
  /** By call, in turn: whether it fails. */
  readonly failures: readonly boolean[]
  /** By call, in turn: what is said. */
  readonly answers: readonly string[]
}

/** Runs all samples capped at the sum of their bounds. */
async function runAtItsBound({ profile: own, tasks, epochs, maxAttempts, rates, concurrency, failures, answers }: Spending) {
  const calls = { effort: null, maxAttempts }
  const cap = tasks.reduce((sum, one) => sum + sampleUpperBound(own, one, calls, rates), 0n) * BigInt(epochs)
  const frozen = Array.from({ length: epochs }, () => tasks).flat()
  const store = memoryStore(frozen.length)
  let call = 0
  const ask = (request: ModelRequest) => {
    const no = call++
    if (failures[no % failures.length]) return failedByItself()
    const said = answers[no % answers.length] ?? ''
    const toolCalls = request.tools && [{ id: `c${no}`, name: request.tools[0]?.name ?? '', arguments: said }]
    return answered(said, { usage: usageOf(request), ...(toolCalls && { toolCalls }) })
  }
  const plan = planWith(ask, {
    profiles: [own],
    settings: { max_attempts: maxAttempts },
    money: { payer: 'wallet', rates, cap, spent: 0n },
    limits: { maxConcurrency: concurrency },
  })
  if (own.byLoglikelihood && plan.model.kind === 'endpoint')
    plan.model.client.loglikelihood = async ({ context, continuation }) => {
      const no = call++
      if (failures[no % failures.length]) return failedByItself()
      const usage = { inputTokens: countTokens(context + continuation) + 7, outputTokens: 1 }
      return { ...answered(), ok: true, logprob: -1, isGreedy: null, usage }
    }
  const limits = { maxConcurrency: concurrency, requestsPerMinute: null, tokensPerMinute: null, onThrottle: 'adapt' } as const
  const limiter = createEndpointLimiter(
    limits,
    () => performance.now(),
    (ms, wake) => setTimeout(wake, ms),
    closedCircuit(),
  )
  limiter.join()
  const ports = portsWith(store, { tasks: numbers => numbers.flatMap(no => frozen[no] ?? []) })
  const { ended } = executeRun(plan, ports, limiter)
  const end = await Promise.race([ended, vi.advanceTimersByTimeAsync(3_600_000).then(() => ended)])
  return { end, cap, cost: store.reports.reduce((sum, report) => sum + report.cost, 0n) }
}

const settings = {
  epochs: fc.integer({ min: 1, max: 3 }),
  maxAttempts: fc.integer({ min: 1, max: 4 }),
  rates: anyRates,
  concurrency: fc.integer({ min: 1, max: 8 }),
  failures: fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
}

async function neverStopped(spending: Spending): Promise<void> {
  const { end, cap, cost } = await runAtItsBound(spending)
  expect(end).toEqual({ kind: 'done' })
  expect(cost).toBeLessThanOrEqual(cap)
}

test('a run capped at its upper bound is never stopped by it, for any prompts and answers', async () => {
  const runs = fc.record({
    ...settings,
    limit: fc.integer({ min: 1, max: 900 }),
    questions: fc.array(anyText, { minLength: 1, maxLength: 5 }),
    answers: fc.array(anyText, { minLength: 1, maxLength: 4 }),
    system: fc.option(anyText),
  })
  await fc.assert(
    fc.asyncProperty(runs, ({ limit, questions, system, ...rest }) =>
      neverStopped({
        ...rest,
        profile: {
          ...profile,
          promptRecipe: { ...profile.promptRecipe, systemPrompt: system },
          generation: { ...profile.generation, max_output_tokens: limit },
        },
        tasks: questions.map((question, i) => ({ ...task(i), fields: { question } })),
      }),
    ),
    { numRuns: 150 },
  )
})

test('a run that measures choices is never stopped by its upper bound', async () => {
  const runs = fc.record({
    ...settings,
    questions: fc.array(anyText, { minLength: 1, maxLength: 4 }),
    choices: fc.array(anyText, { minLength: 1, maxLength: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(runs, ({ questions, choices, ...rest }) =>
      neverStopped({
        ...rest,
        answers: ['x'],
        profile: {
          ...profile,
          byLoglikelihood: { of: 'choices', delimiter: ' ', isUnconditional: false },
          generation: { ...profile.generation, max_output_tokens: 1 },
        },
        tasks: questions.map((question, i) => ({ ...task(i), fields: { question }, choices })),
      }),
    ),
    { numRuns: 80 },
  )
})

test.each(
  environmentFamilies.flatMap(family => (['text', 'native'] as const).map(protocol => [family.definition.slug, protocol, family] as const)),
)('a run of %s by %s tools is never stopped by its upper bound', async (slug, protocol, family) => {
  const own = family.definition.profiles.find(({ environment }) => environment?.protocol === protocol)
  if (!own) throw new Error(`${slug} has no profile for ${protocol} tools.`)
  const { tasks } = family.content()
  const tool = family.tools[0]?.name
  const said = fc.oneof(anyText, fc.constantFrom(JSON.stringify({ tool, arguments: { path: 'x', sql: 'select * from orders' } }), '{}'))
  const runs = fc.record({
    ...settings,
    answers: fc.array(said, { minLength: 1, maxLength: 4 }),
    from: fc.integer({ min: 0, max: tasks.length - 2 }),
  })
  await fc.assert(
    fc.asyncProperty(runs, ({ from, ...rest }) =>
      neverStopped({
        ...rest,
        profile: {
          ...profile,
          promptRecipe: { systemPrompt: own.systemPrompt, promptTemplate: own.promptTemplate, shotTemplate: null, shots: [] },
          generation: { ...own.generation, max_output_tokens: 200 },
          environment: own.environment ?? null,
        },
        tasks: tasks.slice(from, from + 2),
      }),
    ),
    { numRuns: 12 },
  )
})
