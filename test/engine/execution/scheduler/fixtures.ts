import { ExecutionSettings } from '../../../../src/contract/quotes/quotes.schemas.ts'
import type { Answer, CallOutcome, Failure, ModelClient, ModelRequest } from '../../../../src/engine/clients/model-client.ts'
import { type CircuitBreaker, createCircuitBreaker } from '../../../../src/engine/execution/scheduler/circuit-breaker.ts'
import type {
  AttemptReport,
  EndpointLimits,
  ProfilePlan,
  RunPlan,
  SchedulerPorts,
} from '../../../../src/engine/execution/scheduler/ports.ts'
import type { Score } from '../../../../src/engine/grading/scorers/scorer.ts'
import type { Task } from '../../../../src/engine/tasks/task.ts'

const nothingSent = { request: null, response: null, httpStatus: null, latencyMs: 5 }

export function answered(output = '13', more: Partial<Answer> = {}): Answer {
  return {
    ...nothingSent,
    httpStatus: 200,
    ok: true,
    output,
    finishReason: 'stop',
    refused: false,
    usage: { inputTokens: 10, outputTokens: 5 },
    ...more,
  }
}

export function failed(code: Failure['code'], more: Partial<Failure> = {}): Failure {
  return { ...nothingSent, ok: false, code, message: `It failed with ${code}.`, retryAfterMs: null, ...more }
}

export function attemptReport(position: number, outcome: CallOutcome = answered()): AttemptReport {
  const sample = { position, profileNo: 0, taskNo: position, epoch: 1, fence: 1, attempt: 1, refusals: 0 }
  return {
    sample,
    attempt: 1,
    startedAt: 0,
    finishedAt: 5,
    outcome,
    usage: null,
    cost: 0n,
    isBillUnknown: false,
    uncertain: 0n,
    cached: false,
    cacheKey: null,
    isScoredNext: false,
    then: outcome.ok ? 'grade' : 'fail',
  }
}

export function task(no: number): Task {
  return {
    id: `t${no}`,
    split: 'test',
    fields: { question: `What is ${no}?` },
    targets: ['13'],
    choices: null,
    metadata: {},
    capabilities: [],
    dependsOn: [],
  }
}

export const profile: ProfilePlan = {
  profileId: 'p',
  promptRecipe: { systemPrompt: null, promptTemplate: '{question}', shotTemplate: null, shots: [] },
  generation: { temperature: 0, max_output_tokens: 100, stop: [] },
  metrics: [{ id: 'exact', scorer: 'native/exact', options: {}, primary: true }],
  majorityTarget: null,
  environment: null,
  byLoglikelihood: null,
}

export type Caller = (request: ModelRequest, signal: AbortSignal) => Promise<CallOutcome> | CallOutcome

/** A probe finds that something answers, unless told otherwise. */
export function clientThat(call: Caller, probe: ModelClient['probe'] = async () => null): ModelClient {
  return { call: async (request, { signal }) => call(request, signal), probe, close: async () => undefined }
}

/** Counts failures and never opens. */
export function closedCircuit(): CircuitBreaker {
  return createCircuitBreaker({
    opens: false,
    outage: null,
    now: Date.now,
    random: () => 0,
    later: () => undefined,
    onChange: () => undefined,
  })
}

/** The call ends when it is told to, or with `cancelled`. */
export function untilAborted(signal: AbortSignal): Promise<CallOutcome> {
  return new Promise(resolve => {
    signal.addEventListener('abort', () => resolve(failed('cancelled')), { once: true })
  })
}

export function planWith(
  call: Caller,
  more: Partial<RunPlan> & { settings?: Partial<ExecutionSettings>; limits?: Partial<EndpointLimits> } = {},
): RunPlan {
  const { settings, limits, ...plan } = more
  return {
    runNo: 1,
    runId: 'r1',
    seed: 1,
    profiles: [profile],
    execution: { ...ExecutionSettings.parse({}), ...settings },
    model: {
      kind: 'endpoint',
      endpoint: 'e',
      client: clientThat(call),
      limits: { maxConcurrency: 8, requestsPerMinute: null, tokensPerMinute: null, onThrottle: 'adapt', ...limits },
    },
    money: null,
    cacheScope: null,
    ranMs: 0,
    gate: null,
    ...plan,
  }
}

const verdict: Score = { value: 1, class: 'correct', answer: '13', answerSpan: null, explanation: 'It is 13.' }

/** Everything but the store, on the clock of the test's fake timers. */
export function portsWith(store: SchedulerPorts['store'], more: Partial<SchedulerPorts> = {}): SchedulerPorts {
  return {
    store,
    tasks: numbers => numbers.map(task),
    score: async (metrics, inputs) =>
      inputs.map(({ countTokens }) => ({ scores: metrics.map(() => verdict), tokens: countTokens ? 3 : null })),
    callFunction: () => Promise.reject(new Error('no function was expected')),
    matchCall: () => Promise.reject(new Error('no call of a world was expected')),
    askUser: () => Promise.reject(new Error('no user was expected')),
    graders: () => 1,
    now: Date.now,
    monotonic: () => performance.now(),
    random: () => 0.5,
    sleep: (ms, signal) =>
      new Promise(resolve => {
        if (signal.aborted) return resolve()
        const timer = setTimeout(resolve, ms)
        signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
      }),
    storageFault: () => null,
    countPrompt: async () => 0,
    outages: { find: () => null, save: () => undefined },
    onEndpointChange: () => undefined,
    onCommit: () => undefined,
    ...more,
  }
}
