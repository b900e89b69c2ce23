import { contentText } from '../../src/contract/messages/message-text.ts'
import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { importToEnd } from './imports-upload.ts'

const folder = new URL('../../../shared/data/gsm8k/', import.meta.url)
const file = (name: string) => ({ name, content: new Uint8Array(readFileSync(new URL(name, folder))) })

describe.skipIf(!existsSync(folder))('the real GSM8K (skipped where ../shared/data/gsm8k is absent)', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService()
  })
  afterAll(() => service.close())

  test('imports 1,319 tasks with matching checksums and all profiles ready, and grades both extractions side by side', async () => {
    const record = await importToEnd(service, { fields: { recipe: 'gsm8k' }, files: [file('test.jsonl'), file('train.jsonl.gz')] })
    expect(record).toMatchObject({ status: 'imported', error_count: 0, warnings: [], rows: { read: 1319 + 7473, invalid: 0 } })
    expect(record.files.map(({ role, checksum }) => [role, checksum])).toEqual([
      ['test', 'matches_upstream'],
      ['train', 'matches_upstream'],
    ])
    const { profiles, latest_version } = await service.client.call('getBenchmark', { params: { slug: 'gsm8k' } })
    expect(latest_version?.task_counts).toEqual({ test: 1319 })
    expect(profiles.map(profile => [profile.id.split(':')[1], profile.shots, profile.quote_availability.status])).toEqual([
      ['zero-shot', 0, 'ready_for_quote'],
      ['5-shot', 5, 'ready_for_quote'],
      ['answer-line', 0, 'ready_for_quote'],
    ])

    const oracle = { kind: 'managed', route_id: 'assay/oracle-100' } as const
    const coverage = { mode: 'sample', sample_count: 10, seed: 3 } as const
    const { id } = await quote(service.client, { model: oracle, profiles: profiles.map(profile => profile.id), coverage })
    const run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, id)).id)
    const { metrics } = await service.client.call('getRunResults', { params: { run_id: run.id } })
    expect(metrics.map(({ metric, scorer, estimate }) => [metric, scorer, estimate.n, estimate.mean])).toEqual([
      ['exact_match_flexible', 'lm_eval/gsm8k_flexible', 10, 1],
      ['exact_match_strict', 'lm_eval/gsm8k_strict', 10, 1],
      ['exact_match_flexible', 'lm_eval/gsm8k_flexible', 10, 1],
      ['exact_match_strict', 'lm_eval/gsm8k_strict', 10, 1],
      ['exact_match', 'assay/exact_match', 10, 1],
    ])
    const { items } = await service.client.call('listSamples', { params: { run_id: run.id }, query: { limit: 100 } })
    const fiveShot = items.find(sample => sample.profile_id.endsWith(':5-shot'))
    const { messages } = await service.client.call('getSample', { params: { run_id: run.id, sample_id: fiveShot?.id ?? '' } })
    const prompt = contentText(messages[0]?.content ?? '')
    expect(prompt.match(/^Question: /gm)).toHaveLength(6)
    expect(prompt.startsWith('Question: Natalia sold clips to 48 of her friends in April')).toBe(true)
  })
})
