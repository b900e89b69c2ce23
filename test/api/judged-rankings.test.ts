import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Calibration } from '../../src/contract/evaluators/calibrations.schemas.ts'
import { calibrated, connectJudge, labeledVersion, materialOf, saveJudge, type ScriptedJudge, startJudge } from '../support/judging.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { type TestClient, startTestService, type TestService } from '../support/service.ts'

/** How often the first model's output is better, of four. */
const matches = [
  { model_a: 'north', model_b: 'south', wins: 3 },
  { model_a: 'south', model_b: 'east', wins: 3 },
  { model_a: 'east', model_b: 'north', wins: 1 },
]
const pairs = matches.flatMap(({ wins, ...metadata }, n) =>
  Array.from({ length: 4 }, (_, i) => ({
    input: `Question ${n}-${i}`,
    output: { a: i < wins ? 'a good answer' : 'poor', b: i < wins ? 'poor' : 'a good answer' },
    metadata,
  })),
)
const unnamed = { input: 'Whose?', output: { a: 'a good answer', b: 'poor' } }
const unread = { input: 'Unread', output: { a: 'one', b: 'other' }, metadata: { model_a: 'north', model_b: 'south' } }

let service: TestService
let judge: ScriptedJudge
let client: TestClient
let judged: Calibration

beforeAll(async () => {
  service = await startTestService()
  client = service.client
  judge = await startJudge(chat => {
    const [shown, first = '', second = ''] = materialOf(chat)
    if (shown === 'Unread') return 'I would rather not say.'
    return `VERDICT: ${first === 'a good answer' ? 'a' : second === 'a good answer' ? 'b' : 'tie'}`
  })
  const { versionId } = await labeledVersion(service, { task: 'pairwise' }, [...pairs, unnamed, unread])
  const evaluator = await saveJudge(client, await connectJudge(client, judge), { mode: 'pairwise', menu: [] })
  judged = await calibrated(client, { evaluator_version_id: evaluator.id, dataset_version_id: versionId })
})
afterAll(async () => {
  await service.close()
  await judge.close()
})

const asBattles = pairs.map(({ output, metadata }) => ({
  ...metadata,
  winner: output.a === 'poor' ? ('model_b' as const) : ('model_a' as const),
}))

describe('a ranking by verdicts of a pairwise evaluator', () => {
  test('is that of the same battles from a file, and names its source', async () => {
    expect(judged).toMatchObject({ status: 'resolved', progress: { done: 14 } })
    const found = await client.call('rankModels', { body: { calibration_ids: [judged.id] } })
    const given = await client.call('rankModels', { body: { battles: asBattles } })
    expect(found.models).toEqual(given.models)
    expect(found.models.map(({ model }) => model)).toEqual(['north', 'south', 'east'])
    expect(given.sources).toEqual([{ kind: 'battles', battles: 12 }])
    expect(found.sources).toEqual([
      {
        kind: 'calibration',
        calibration_id: judged.id,
        evaluator_id: judged.evaluator_id,
        evaluator_name: judged.evaluator_name,
        evaluator_version: 1,
        dataset_version_id: judged.dataset_version_id,
        verdict: 'uninformative',
        battles: 12,
        unscored: 1,
        unnamed: 1,
      },
    ])
    const name = `“${judged.evaluator_name}”, version 1`
    expect(found.cautions).toEqual(
      expect.arrayContaining([
        `1 pair has no verdict of ${name} and is not ranked.`,
        `1 pair judged by ${name} does not name two different models and is not ranked.`,
        `The calibration of ${name} is uninformative, so its preferences may not be those of people.`,
      ]),
    )
  })

  test('joins battles of a file', async () => {
    const { models, sources } = await client.call('rankModels', {
      body: { battles: [{ model_a: 'west', model_b: 'north', winner: 'tie' }], calibration_ids: [judged.id], resamples: 0 },
    })
    expect(models.find(({ model }) => model === 'west')).toMatchObject({ battles: 1, ties: 1 })
    expect(sources.map(({ kind, battles }) => [kind, battles])).toEqual([
      ['battles', 1],
      ['calibration', 12],
    ])
  })

  test('has the lengths of outputs as style', async () => {
    const { style_weights: weights } = await client.call('rankModels', {
      body: { calibration_ids: [judged.id], style_control: true, resamples: 0 },
    })
    // Here the longer output always wins.
    expect(weights).toEqual([{ style: 'characters', log_odds: expect.any(Number) }])
    expect(weights[0]?.log_odds).toBeGreaterThan(1)
  })

  test('is refused by what it lacks', async () => {
    const unknown = '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e02'
    for (const [ids, message] of [
      [[unknown], `there is no calibration "${unknown}" in this workspace`],
      [[judged.id, judged.id], 'is listed twice'],
      [[], 'must have at least 2 battles'],
    ] as const) {
      const refused = await client.refusal('rankModels', { body: { calibration_ids: [...ids] } })
      expect(refused).toMatchObject({ status: 422, code: 'validation_error' })
      expect(refused.message).toContain(message)
    }
  })

  test('is found among the calibrations of pairwise datasets', async () => {
    const { items } = await client.call('listCalibrations', { query: { task: 'pairwise', status: 'resolved' } })
    expect(items.map(({ id }) => id)).toEqual([judged.id])
    expect((await client.call('listCalibrations', { query: { task: 'answer' } })).items).toEqual([])
  })
})

describe('a ranking of two runs', () => {
  test('rests on a judge’s choice between their answers to each task', async () => {
    const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
    const run = async (route_id: string, sample_count: number) => {
      const coverage = { mode: 'sample', sample_count, seed: 1 } as const
      const { id } = await quote(client, { model: { kind: 'managed', route_id }, profiles: [profile], coverage })
      return runToEnd(client, service.baseUrl, (await submit(client, id)).id)
    }
    const [right, echo] = [await run('assay/oracle-100', 8), await run('assay/echo', 6)]
    const { id: dataset_id } = await client.call('createDataset', { body: { name: 'Two runs', task: 'pairwise' } })
    const params = { dataset_id }
    const added = await client.call('addExamplesFromRun', { params, body: { run_id: right.id, against_run_id: echo.id } })
    expect(added).toMatchObject({ created: 6, duplicates: 0 })
    expect(added.skipped.map(({ reason }) => reason)).toEqual(Array(2).fill('The other run has no answer to this task and epoch.'))
    const { items } = await client.call('listExamples', { params })
    expect(items[0]).toMatchObject({
      metadata: { model_a: right.model.title, model_b: echo.model.title },
      output: { a: expect.any(String) },
    })
    expect(items[0]?.metadata).not.toHaveProperty('scores')

    const body = { examples: items.map(({ id: example_id, revision }) => ({ example_id, revision })), decision: 'approve' as const }
    expect(await client.call('reviewExamples', { params, body })).toMatchObject({ reviewed: 6 })
    const { id: dataset_version_id } = await client.call('createDatasetVersion', { params, body: {} })
    const strict = await startJudge(chat => {
      const [asked, first] = materialOf(chat)
      return `VERDICT: ${asked?.includes(first ?? '') ? 'b' : 'a'}`
    })
    const { id: evaluator_version_id } = await saveJudge(client, await connectJudge(client, strict), { mode: 'pairwise', menu: [] })
    const { id } = await calibrated(client, { evaluator_version_id, dataset_version_id })
    await strict.close()
    expect((await client.refusal('rankModels', { body: { calibration_ids: [id] } })).message).toContain('Rank by Elo, or add battles')
    const { models } = await client.call('rankModels', { body: { calibration_ids: [id], method: 'elo', resamples: 0 } })
    expect(models.map(({ model, wins, losses }) => [model, wins, losses])).toEqual([
      [right.model.title, 6, 0],
      [echo.model.title, 0, 6],
    ])
  })
})
