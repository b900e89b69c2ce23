import { afterAll, beforeAll, expect, test } from 'vitest'
import { assayHere } from '../support/assay-here.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let suiteId: string
beforeAll(async () => {
  service = await startTestService()
  const { client } = service
  const source = (await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })).latest_version?.source_ref ?? ''
  const ids = Array.from({ length: 40 }, (_, i) => `awp-${String(i + 1).padStart(4, '0')}`)
  const selection = { task_selections: [{ source_ref: source, split: 'test' as const, task_ids: ids }] }
  const suite = await client.call('createReleaseSuite', {
    body: { name: 'Sums', groups: [{ key: 'main', title: 'Main', weight: 1, critical: false, selection }] },
  })
  suiteId = suite.id
})
afterAll(() => service.close())

async function gate(route: string, needsPerson: boolean) {
  const { client } = service
  const policy = await client.call('createReleasePolicy', {
    body: {
      name: 'Ship',
      rules: [{ kind: 'min_score', key: 'score', threshold: 0.6, basis: 'point' }],
      human: { required: needsPerson, approvals: 1, not_author: false, override: 'never' },
    },
  })
  const decision = await client.call('createReleaseDecision', {
    body: {
      name: 'Release',
      candidate: { label: route, model: { kind: 'managed', route_id: route } },
      suite_version_id: suiteId,
      policy_id: policy.id,
      max_charge_microusd: '0',
    },
  })
  return assayHere(['gate', decision.id, '--data-dir', service.dataDir])
}

test('exits by the outcome: 0 approved, 100 rejected, 4 where a person must decide', async () => {
  const [approved, rejected, waiting] = [
    await gate('assay/oracle-90', false),
    await gate('assay/echo', false),
    await gate('assay/oracle-90', true),
  ]
  expect(approved).toMatchObject({ code: 0, out: expect.stringContaining('approved') as string })
  expect(rejected).toMatchObject({ code: 100, out: expect.stringContaining('rejected') as string })
  expect(waiting).toMatchObject({ code: 4, out: expect.stringContaining('Missing: ') as string })
})
