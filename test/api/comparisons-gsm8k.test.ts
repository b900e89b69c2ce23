import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answersFromGsm8k } from '../journeys/model-server/replay-files.ts'
import { startModelServer } from '../journeys/model-server/server.ts'
import { importFiles } from '../support/imports.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

const shared = (path: string) => fileURLToPath(new URL(`../../../shared/data/gsm8k/${path}`, import.meta.url))
const solutions = shared('example_model_solutions.jsonl')

let service: TestService

/** Replays one column of recorded solutions through a connection, as a user would run a model. */
async function replay(column: string): Promise<string> {
  const { client, baseUrl } = service
  const models = await startModelServer({ answers: answersFromGsm8k(solutions, column) })
  try {
    const connection = await client.call('createConnection', {
      body: { name: column, base_url: models.baseUrl, model: column, limits: { max_concurrency: 32 } },
    })
    await client.call('checkConnection', { params: { connection_id: connection.id } })
    const { id } = await quote(client, {
      model: { kind: 'connection', connection_id: connection.id },
      profiles: [await profileId(client, 'gsm8k', 'answer-line')],
    })
    return (await runToEnd(client, baseUrl, (await submit(client, id, column)).id)).id
  } finally {
    await models.close()
  }
}

describe.skipIf(!existsSync(solutions))('recorded GSM8K solutions of two models (skipped where the shared data is absent)', () => {
  beforeAll(async () => {
    service = await startTestService()
    await importFiles(service, { recipe: 'gsm8k' }, [{ name: 'test.jsonl', content: readFileSync(shared('test.jsonl')) }])
  })
  afterAll(() => service.close())

  test('6b_verification against 175b_finetuning: 209 against 152 discordant, exact McNemar p = 0.00315', async () => {
    const baseline = await replay('175b_finetuning')
    const contender = await replay('6b_verification')
    const comparison = await service.client.call('createComparison', {
      body: { name: 'size against verification', run_ids: [baseline, contender], baseline_id: baseline },
    })
    const headline = comparison.differences.find(difference => difference.headline)
    expect(headline).toMatchObject({ n: 1319, wins: 209, losses: 152, test: 'mcnemar_exact', verdict: 'better' })
    expect(headline?.passes).toMatchObject({ only_contender: 209, only_baseline: 152 })
    expect(headline?.p?.toPrecision(3)).toBe('0.00315')
    expect(headline?.difference).toBeCloseTo((515 - 458) / 1319, 12)
    expect(comparison.headline).toMatch(
      /^6b_verification is better than 175b_finetuning by 4\.3 points, 95 % interval 1\.5 to 7\.\d, on 1,319 common tasks; a difference under \d\.\d points would be missed more than one time in five\.$/,
    )
    const gained = await service.client.call('listComparedTasks', {
      params: { comparison_id: comparison.id },
      query: { change: 'gained', limit: 100 },
    })
    expect(gained.next_cursor).not.toBeNull()
    const [flipped] = gained.items
    const [before, after] = await Promise.all(
      [baseline, contender].map((run_id, i) =>
        service.client.call('getSample', { params: { run_id, sample_id: flipped?.outcomes[i]?.sample_id ?? '' } }),
      ),
    )
    expect([before?.task_id, before?.passed, after?.task_id, after?.passed]).toEqual([flipped?.task_id, false, flipped?.task_id, true])
  })
})
