import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Results } from '../../src/contract/runs/results.schemas.ts'
import { importFiles } from '../support/imports.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { answersFromGsm8k } from './model-server/replay-files.ts'
import { startModelServer } from './model-server/server.ts'

const shared = (path: string) => fileURLToPath(new URL(`../../../shared/data/gsm8k/${path}`, import.meta.url))
const solutions = shared('example_model_solutions.jsonl')

/** Three tasks in GSM8K's own form, written for this test, and what a model might say to them. */
const sample = [
  {
    question: 'Ada has 3 boxes with 4 pens each. How many pens has she?',
    answer: 'She has 3 * 4 = <<3*4=12>>12 pens.\n#### 12',
    said: '3 boxes of 4 make 12 pens.\nA: 12',
  },
  {
    question: 'A train of 8 cars holds 150 people a car. How many people fit in?',
    answer: 'It holds 8 * 150 = <<8*150=1200>>1,200 people.\n#### 1,200',
    said: 'A: 1,200 people',
  },
  {
    question: 'Bo had 10 pears and ate 4. How many are left?',
    answer: 'There are 10 - 4 = <<10-4=6>>6 left.\n#### 6',
    said: 'He ate 4.\nA: 4',
  },
]

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

/** The whole job over HTTP: connection, check, quote, run, results. */
async function replay(answers: ReadonlyMap<string, string>, streaming: boolean): Promise<Results> {
  const models = await startModelServer({ answers })
  try {
    const { client, baseUrl } = service
    const connection = await client.call('createConnection', {
      body: { name: 'replay', base_url: models.baseUrl, model: 'replay', streaming, limits: { max_concurrency: 32 } },
    })
    const checked = await client.call('checkConnection', { params: { connection_id: connection.id } })
    expect(checked.status).toBe('ready')
    const { id, compatibility } = await quote(client, {
      model: { kind: 'connection', connection_id: connection.id },
      profiles: [await profileId(client, 'gsm8k', 'answer-line')],
    })
    expect(compatibility.status).toBe('compatible')
    const run = await runToEnd(client, baseUrl, (await submit(client, id, 'replay')).id)
    expect(run.status).toBe('complete')
    return client.call('getRunResults', { params: { run_id: run.id } })
  } finally {
    await models.close()
  }
}

function rightOf(results: Results): { right: number; n: number } {
  const primary = results.metrics.find(metric => metric.primary)
  const n = primary?.estimate.n ?? 0
  return { right: Math.round((primary?.estimate.mean ?? Number.NaN) * n), n }
}

describe('GSM8K through its recipe', () => {
  test.each([false, true])('a file of the project’s own is imported, asked (streaming: %s) and scored', async streaming => {
    const file = { name: 'test.jsonl', content: sample.map(({ question, answer }) => JSON.stringify({ question, answer })).join('\n') }
    const record = await importFiles(service, { recipe: 'gsm8k', version: `sample-${streaming}` }, [file])
    expect(record).toMatchObject({ status: 'imported', error_count: 0, rows: { read: 3, valid: 3, invalid: 0 } })
    expect(record.files[0]?.checksum).toBe('differs_from_upstream')
    const results = await replay(new Map(sample.map(({ question, said }) => [question, said])), streaming)
    expect(rightOf(results)).toEqual({ right: 2, n: 3 })
    expect(results.reproducibility.profiles[0]?.source_ref).toMatch(/^eval:\/\/openai\/gsm8k\//)
  })
})

describe.skipIf(!existsSync(solutions))('GSM8K itself with four recorded models (skipped where the shared data is absent)', () => {
  beforeAll(async () => {
    const record = await importFiles(service, { recipe: 'gsm8k' }, [
      { name: 'test.jsonl', content: readFileSync(shared('test.jsonl')) },
      { name: 'train.jsonl.gz', content: readFileSync(shared('train.jsonl.gz')) },
    ])
    expect(record).toMatchObject({ status: 'imported', error_count: 0 })
    expect(record.files.map(file => file.checksum)).toEqual(['matches_upstream', 'matches_upstream'])
    expect(record.source_ref).toMatch(/^eval:\/\/openai\/gsm8k\//)
    const { profiles } = await service.client.call('getBenchmark', { params: { slug: 'gsm8k' } })
    const latest = profiles.filter(profile => profile.source_ref === record.source_ref)
    expect(latest.map(profile => profile.task_count)).toEqual(latest.map(() => 1319))
    expect(latest.find(profile => profile.shots === 5)?.quote_availability.status).toBe('ready_for_quote')
    expect(
      latest
        .find(profile => profile.shots === 5)
        ?.metrics.map(metric => metric.scorer)
        .sort(),
    ).toEqual(['lm_eval/gsm8k_flexible', 'lm_eval/gsm8k_strict'])
  })

  test.each([
    ['6b_finetuning', 286],
    ['6b_verification', 515],
    ['175b_finetuning', 458],
    ['175b_verification', 742],
  ])('%s is right %i times of 1,319', async (column, right) => {
    const results = await replay(answersFromGsm8k(solutions, column), false)
    expect(rightOf(results)).toEqual({ right, n: 1319 })
  })
})
