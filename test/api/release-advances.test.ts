import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Evaluation, NewEvaluation } from '../../src/contract/evaluations/evaluations.schemas.ts'
import { ApiError } from '../../src/contract/errors.ts'
import { decisionMachine } from '../../src/contract/releases/decision.machine.ts'
import type { ReleasePolicy } from '../../src/contract/releases/policies.schemas.ts'
import type { ReleaseSuite } from '../../src/contract/releases/suites.schemas.ts'
import type { Run } from '../../src/contract/runs/runs.schemas.ts'
import type { EvaluationSubmission } from '../../src/service/evaluations/evaluations.service.ts'
import { createAdvance } from '../../src/service/releases/advance-decision.ts'
import { evaluationsOf } from '../../src/service/releases/decision-evaluations.store.ts'
import { findDecision, type Payer } from '../../src/service/releases/decisions.store.ts'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { transition } from '../../src/storage/transition.ts'
import { movingClock } from '../support/moving-clock.ts'
import { startTestService, type TestService } from '../support/service.ts'

const oracle = { kind: 'managed', route_id: 'assay/oracle-90' } as const
const clock = movingClock()
const payerOf = (principalId: string): Payer => ({ principalId, owner: { kind: 'person', id: crypto.randomUUID() } })
let service: TestService
let db: Database
let suite: ReleaseSuite
let policy: ReleasePolicy

beforeAll(async () => {
  service = await startTestService()
  const { client } = service
  const source_ref = (await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })).latest_version?.source_ref ?? ''
  const selection = { task_selections: [{ source_ref, split: 'test' as const, task_ids: ['awp-0001', 'awp-0002'] }] }
  suite = await client.call('createReleaseSuite', {
    body: { name: 'Two', groups: [{ key: 'all', title: 'All', weight: 1, critical: false, selection }] },
  })
  policy = await client.call('createReleasePolicy', {
    body: { name: 'Ship', rules: [{ kind: 'min_score', key: 'score', threshold: 0.3 }] },
  })
  db = openDatabase(join(service.dataDir, 'assay.db'))
})
afterAll(async () => {
  db.close()
  await service.close()
})

/** A stored decision of two sides. @param quoting while an evaluation is quoted @param committed micro-USD, whenever it is asked for */
async function advances(quoting: () => Promise<void>, committed = () => 0n) {
  const { id } = await service.client.call('createReleaseDecision', {
    body: {
      name: 'Release',
      candidate: { label: 'new', model: oracle },
      baseline: { label: 'old', model: { ...oracle, route_id: 'assay/oracle-75' } },
      suite_version_id: suite.id,
      policy_id: policy.id,
      max_charge_microusd: '100',
    },
  })
  const read = () => {
    const found = findDecision(db, service.workspaceId, id)
    if (!found) throw new Error('The decision is gone.')
    return found
  }
  const made = new Map<string | null, NewEvaluation>()
  const { advance } = createAdvance(
    { db, clock },
    {
      evaluations: {
        create: async ({ operationKey, body, stored }: EvaluationSubmission) => {
          await quoting()
          const known = made.get(operationKey)
          if (known && known.max_charge_microusd !== body.max_charge_microusd)
            throw new ApiError('idempotency_mismatch', 'The Idempotency-Key was used before.')
          if (!known) db.transaction(() => stored?.(`${operationKey}`))
          made.set(operationKey, body)
          return { evaluation: { id: `${operationKey}` } as Evaluation, isNew: !known } // nothing else of it is used
        },
        runOf: (_workspace: string, evaluationId: string) => evaluationId,
      } as never, // nothing else of it is used
      runs: {
        read: (_workspace: string, runId: string) => ({ id: runId, status: 'running', pause: null, progress: {} }) as Run,
        committed,
      } as never, // nothing else of it is used
      jobs: { enqueue: () => 'job' },
      suiteOf: () => suite,
      policyOf: () => policy,
      read,
      close: () => {},
    },
  )
  return { read, list: () => evaluationsOf(db, read().no), made, advance: (by = payerOf('owner')) => advance(service.workspaceId, id, by) }
}

test('two advances at once are both answered where a run settles in between, so that they would limit the next one differently', async () => {
  const waiting: (() => void)[] = []
  let left = 60n
  const { advance, list, made, read } = await advances(
    () => new Promise<void>(resolve => waiting.push(resolve)),
    () => (left -= 20n),
  )
  const steps = Promise.all([advance(), advance(payerOf('other'))])
  for (const _ of ['candidate', 'baseline']) {
    await expect.poll(() => waiting.length).toBe(2)
    for (const answer of waiting.splice(0)) answer()
  }
  expect((await steps).map(({ did }) => did.length)).toEqual([2, 0])
  expect(list()).toHaveLength(2)
  expect([...made.values()].map(body => body.max_charge_microusd)).toEqual(['100', '60'])
  expect(read()).toMatchObject({ status: 'collecting', attempt: 1 })
})

test('a decision that is cancelled while its evaluation is quoted starts nothing and is no attempt', async () => {
  const { advance, list, read } = await advances(async () => {
    const { id } = read()
    transition(db, decisionMachine, { table: 'release_decisions', column: 'status' }, id, 'cancel', clock.now().toISOString())
  })
  expect(await advance()).toEqual({ did: [], missing: [] })
  expect(list()).toEqual([])
  expect(read()).toMatchObject({ status: 'cancelled', attempt: null, payer: null })
})
