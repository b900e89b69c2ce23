import { expect, test } from 'vitest'
import { createJudgeCaller, newJudgeHealth } from '../../../../src/engine/execution/judging/judge-caller.ts'
import { judgePrices } from '../../../../src/engine/execution/judging/price-judge-call.ts'
import { createSimulatedJudge } from '../../../../src/engine/execution/judging/simulated-judge.ts'
import { createEndpointLimiter } from '../../../../src/engine/execution/scheduler/endpoint-limiter.ts'
import { createSpendCap } from '../../../../src/engine/execution/scheduler/spend-cap.ts'
import { closedCircuit } from '../../../engine/execution/scheduler/fixtures.ts'
import { judgeWith } from '../grading/judges/judge.ts'

test('nothing stays set aside for a judge’s call whose files cannot be looked up', async () => {
  const spending = createSpendCap(1_000_000n, 0n)
  const client = {
    ...createSimulatedJudge(),
    fileTokens: () => {
      throw new Error('The database is closed.')
    },
  }
  const limits = { maxConcurrency: 1, requestsPerMinute: null, tokensPerMinute: null, onThrottle: 'adapt' } as const
  const ask = createJudgeCaller(
    {
      endpoints: [
        {
          name: 'judge',
          structured: false,
          sees: new Set(),
          client,
          limiter: createEndpointLimiter(
            limits,
            () => 0,
            () => undefined,
            closedCircuit(),
          ),
          gaveUp: new AbortController().signal,
          prices: judgePrices({ input_microusd_per_million: '1000000', output_microusd_per_million: '1000000' }),
          spending,
        },
      ],
      log: { answered: () => null, open: () => Promise.resolve(1), close: () => Promise.resolve() },
      maxAttempts: 1,
      now: () => 0,
      random: () => 0,
      sleep: () => Promise.resolve(),
      signal: new AbortController().signal,
    },
    newJudgeHealth(1),
  )
  const question = {
    judge: 0,
    vote: 0,
    order: 'ab',
    criterion: null,
    repair: false,
    prompt: { boundary: 'b', messages: [{ role: 'user', content: 'Is it right?' }] },
  } as const
  await expect(ask(judgeWith(), question)).rejects.toThrow('The database is closed.')
  expect(spending.left()).toBe(1_000_000n)
})
