import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { CallOutcome } from '../../../../src/engine/clients/model-client.ts'
import { fileWorkspace } from '../../../../src/engine/execution/environments/families/file-workspace/file-workspace.ts'
import { createEndpointLimiter } from '../../../../src/engine/execution/scheduler/endpoint-limiter.ts'
import { executeRun } from '../../../../src/engine/execution/scheduler/execute-run.ts'
import { answered, closedCircuit, failed, planWith, portsWith } from './fixtures.ts'
import { memoryStore } from './memory-store.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

/** Micro-USD of a turn: 50 tokens of answer. */
const turnCost = 50n
const sent = { request: new Uint8Array(1) }
const useTool = answered('{"tool": "list_files", "arguments": {}}', {
  ...sent,
  response: new Uint8Array(1),
  usage: { inputTokens: 10, outputTokens: 50 },
})

/** One episode whose model uses tools for two turns; the third call never ends by itself. @param cap micro-USD; null: none */
function episode(cap: bigint | null) {
  const [profile] = fileWorkspace.definition.profiles
  const [task] = fileWorkspace.content().tasks
  if (!profile?.environment || !task) throw new Error('The family has no profile or no task.')
  const store = memoryStore(1)
  let turns = 0
  const plan = planWith(
    (_, signal): Promise<CallOutcome> | CallOutcome => {
      if (++turns <= 2) return useTool
      return new Promise(resolve => signal.addEventListener('abort', () => resolve(failed('cancelled', sent)), { once: true }))
    },
    {
      profiles: [
        {
          profileId: profile.key,
          promptRecipe: { ...profile, shots: [] },
          generation: { temperature: 0, max_output_tokens: 100, stop: [] },
          metrics: [{ id: 'goal', scorer: 'assay/environment_goal', options: {}, primary: true }],
          majorityTarget: null,
          environment: profile.environment,
          byLoglikelihood: null,
        },
      ],
      money: {
        payer: 'wallet',
        rates: { inputMicroUsdPerMillion: 0n, outputMicroUsdPerMillion: 1_000_000n },
        cap,
        spent: 0n,
      },
    },
  )
  const limiter = createEndpointLimiter(
    { maxConcurrency: 1, requestsPerMinute: null, tokensPerMinute: null, onThrottle: 'adapt' },
    () => performance.now(),
    (ms, wake) => setTimeout(wake, ms),
    closedCircuit(),
  )
  limiter.join()
  const control = executeRun(plan, portsWith(store, { tasks: numbers => numbers.map(() => task) }), limiter)
  return { store, control, toEnd: () => Promise.race([control.ended, vi.advanceTimersByTimeAsync(60_000).then(() => control.ended)]) }
}

describe('the turns of an episode that is cut off', () => {
  test('are paid for when the cap lets no further turn through', async () => {
    // A turn is known to cost at most 100.
    const { store, toEnd } = episode(199n)
    expect(await toEnd()).toMatchObject({ kind: 'stopped', reason: { code: 'cap_reached' } })
    expect(store.reports).toHaveLength(1)
    expect(store.reports[0]).toMatchObject({ cost: 2n * turnCost, isBillUnknown: false, then: 'miss' })
    // By its request the store knows that the attempt was made.
    expect(store.reports[0]?.outcome).toMatchObject({ code: 'cancelled', request: sent.request, earlier: [{ request: sent.request }] })
    expect(store.counts()).toEqual({ missing: 1 })
  })

  test('are paid for when the run is cancelled, and the call in flight is possibly billed', async () => {
    const { store, control, toEnd } = episode(null)
    await vi.advanceTimersByTimeAsync(100)
    control.cancel()
    expect(await toEnd()).toEqual({ kind: 'cancelled' })
    expect(store.reports).toMatchObject([{ cost: 2n * turnCost, isBillUnknown: true, then: 'cancel' }])
  })

  test('are paid for when the process closes, and the sample is replayed', async () => {
    const { store, control, toEnd } = episode(null)
    await vi.advanceTimersByTimeAsync(100)
    control.suspend()
    expect(await toEnd()).toEqual({ kind: 'suspended' })
    expect(store.reports).toMatchObject([{ attempt: 1, cost: 2n * turnCost, isBillUnknown: true, then: 'retry' }])
    expect(store.samples).toMatchObject([{ status: 'calling', attempts: 2 }])
    await store.recover(1)
    expect(store.samples).toMatchObject([{ status: 'pending', attempts: 1 }])
  })
})
