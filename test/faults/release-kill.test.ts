import { expect, test } from 'vitest'
import type { Decision } from '../../src/contract/releases/decisions.schemas.ts'
import { startModelServer } from '../journeys/model-server/server.ts'
import { type ChildService, startChildService } from '../support/child-service.ts'
import { patience } from '../support/machine-speed.ts'
import { temporaryFolder } from '../support/service.ts'
import { runToEnd } from '../support/runs.ts'

const tasks = 40

test('a decision killed in every state asks, charges and records nothing twice', async () => {
  const folder = temporaryFolder()
  const asked: string[] = []
  let reached = () => {}
  const halfway = new Promise<void>(resolve => {
    reached = resolve
  })
  const models = await startModelServer({
    delayMs: 5,
    answers: text => {
      asked.push(text)
      if (asked.length === tasks / 2) reached()
      return 'The answer is 1.'
    },
  })
  let service: ChildService = await startChildService(folder.path)
  const again = async () => {
    await service.kill()
    service = await startChildService(folder.path)
  }
  const source =
    (await service.client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })).latest_version?.source_ref ?? ''
  const connection = await service.client.call('createConnection', {
    body: {
      name: 'scripted',
      base_url: models.baseUrl,
      model: 'scripted',
      limits: { max_concurrency: 2 },
      rates: { input_microusd_per_million: '1000000', output_microusd_per_million: '1000000' },
    },
  })
  await service.client.call('checkConnection', { params: { connection_id: connection.id } })
  asked.length = 0
  const ids = Array.from({ length: tasks }, (_, i) => `awp-${String(i + 1).padStart(4, '0')}`)
  const suite = await service.client.call('createReleaseSuite', {
    body: {
      name: 'Kill',
      groups: [
        { key: 'all', title: 'All', weight: 1, selection: { task_selections: [{ source_ref: source, split: 'test', task_ids: ids }] } },
      ],
    },
  })
  const policy = await service.client.call('createReleasePolicy', {
    body: { name: 'Kill', rules: [{ kind: 'max_error_rate', key: 'errors', threshold: 0.2 }] },
  })
  const { id } = await service.client.call('createReleaseDecision', {
    body: {
      name: 'Kill',
      candidate: { label: 'scripted', model: { kind: 'connection', connection_id: connection.id } },
      suite_version_id: suite.id,
      policy_id: policy.id,
      max_charge_microusd: '0',
    },
  })
  const params = { decision_id: id }
  const advance = () => service.client.call('advanceReleaseDecision', { params })
  /** The service may die before it answers. */
  const advanceUnheard = () => void advance().catch(() => undefined)

  await again() // draft
  advanceUnheard()
  await again() // while the first evaluation is created
  advanceUnheard()
  await halfway
  await again() // collecting, calls in flight
  const { evaluations } = await advance()
  expect(evaluations).toHaveLength(1)
  await runToEnd(service.client, service.baseUrl, evaluations[0]?.run_id ?? '')
  advanceUnheard()
  await again() // analyzing, or about to
  let decision: Decision = await advance()
  const until = Date.now() + 30_000 * patience()
  while (decision.status !== 'awaiting_human' && Date.now() < until) decision = await advance()
  expect(decision).toMatchObject({ status: 'awaiting_human', recommendation: 'approve', attempt: 1 })
  await service.client.call('createReleaseLabel', { body: { target: params, verdict: 'approve' } })
  advanceUnheard()
  await again() // while it closes
  const present = await service.client.call('getReleaseDecision', { params })
  const closed = present.status === 'approved' ? present : await advance()
  expect(closed).toMatchObject({
    status: 'approved',
    attempt: 1,
    labels: [{ verdict: 'approve' }],
    record: { previous_record_digest: null },
  })

  const { items } = await service.client.call('listEvaluations', { query: {} })
  expect(items).toHaveLength(1)
  const { accounting, progress } = items[0] ?? {}
  expect(progress).toMatchObject({ frozen: tasks, scored: tasks })
  // Only calls in flight at a kill may be repeated, and are counted.
  expect(new Set(asked).size).toBe(tasks)
  expect(asked.length).toBeLessThanOrEqual(tasks + (accounting?.possibly_billed_twice ?? 0))
  await service.stop()
  await models.close()
  folder.remove()
})
