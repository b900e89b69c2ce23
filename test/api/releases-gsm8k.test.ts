import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answersFromGsm8k } from '../journeys/model-server/replay-files.ts'
import { type ModelServer, startModelServer } from '../journeys/model-server/server.ts'
import { importFiles } from '../support/imports.ts'
import { advanceFully, type PolicyBody } from '../support/releases.ts'
import { profileId } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

const shared = (path: string) => fileURLToPath(new URL(`../../../shared/data/gsm8k/${path}`, import.meta.url))
const solutions = shared('example_model_solutions.jsonl')

let service: TestService
const servers: ModelServer[] = []

async function connect(column: string) {
  const models = await startModelServer({ answers: answersFromGsm8k(solutions, column) })
  servers.push(models)
  const { id } = await service.client.call('createConnection', {
    body: { name: column, base_url: models.baseUrl, model: column, limits: { max_concurrency: 32 } },
  })
  await service.client.call('checkConnection', { params: { connection_id: id } })
  return { label: column, model: { kind: 'connection' as const, connection_id: id } }
}

describe.skipIf(!existsSync(solutions))('recorded GSM8K solutions of two models (skipped where the shared data is absent)', () => {
  beforeAll(async () => {
    service = await startTestService()
    await importFiles(service, { recipe: 'gsm8k' }, [{ name: 'test.jsonl', content: readFileSync(shared('test.jsonl')) }])
  })
  afterAll(async () => {
    await service.close()
    for (const server of servers) await server.close()
  })

  test('decide as published: superior, not inferior at 0.03; reversed inconclusive at 0.05 and failed at 0.01', async () => {
    const { client } = service
    const source = (await client.call('getBenchmark', { params: { slug: 'gsm8k' } })).latest_version?.source_ref ?? ''
    const ids: string[] = []
    while (ids.length < 1319)
      ids.push(
        ...(await client.call('listTasks', { query: { source_ref: source, limit: 1000, offset: ids.length } })).items.map(
          task => task.task_id,
        ),
      )
    const suite = await client.call('createReleaseSuite', {
      body: {
        name: 'GSM8K',
        groups: [
          {
            key: 'gsm8k',
            title: 'GSM8K',
            weight: 1,
            profile_id: await profileId(client, 'gsm8k', 'answer-line'),
            selection: { task_selections: [{ source_ref: source, split: 'test', task_ids: ids }] },
          },
        ],
      },
    })
    const policy = (rules: PolicyBody['rules']) =>
      client.call('createReleasePolicy', { body: { name: 'Ship', rules, human: { required: false } } })
    const plan = { name: 'verification', suite_version_id: suite.id, max_charge_microusd: '0' }
    const [candidate, baseline] = [await connect('6b_verification'), await connect('175b_finetuning')]
    const { id: first } = await policy([
      { kind: 'superiority', key: 'better' },
      { kind: 'non_inferiority', key: 'not-worse', margin: 0.03 },
    ])
    const planned = await client.call('createReleaseDecision', { body: { ...plan, policy_id: first, candidate, baseline } })
    const decision = await advanceFully(service, planned.id)
    expect(decision).toMatchObject({
      status: 'approved',
      rules: [
        { n: 1319, verdict: 'pass' },
        { n: 1319, verdict: 'pass' },
      ],
    })
    const [superior, notInferior] = decision.rules ?? []
    expect([superior?.estimate, superior?.bound, superior?.opposite_bound].map(value => value?.toFixed(4))).toEqual([
      '0.0432',
      '0.0196',
      '0.0669',
    ])
    expect(notInferior?.statistic?.p?.toPrecision(2)).toBe('2.3e-7')

    const adopted = (side: 'candidate' | 'baseline') => ({
      label: side,
      evaluation_ids: { gsm8k: decision.evaluations.find(evaluation => evaluation.side === side)?.evaluation_id ?? '' },
    })
    const { id: second } = await policy(
      [0.1, 0.05, 0.01].map(margin => ({ kind: 'non_inferiority', key: `m-${margin * 100}`, margin, required: margin === 0.01 })),
    )
    const reversed = await client.call('createReleaseDecision', {
      body: { ...plan, policy_id: second, candidate: adopted('baseline'), baseline: adopted('candidate') },
    })
    const outcome = await advanceFully(service, reversed.id)
    expect(outcome).toMatchObject({ status: 'rejected', rules: [{ verdict: 'pass' }, { verdict: 'inconclusive' }, { verdict: 'fail' }] })
    expect(outcome.rules?.[0]?.statistic?.p?.toPrecision(2)).toBe('0.000046')
  })
})
