import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TuneSession } from '../../src/contract/tuning/sessions.schemas.ts'
import { answersFromGsm8k } from '../journeys/model-server/replay-files.ts'
import { type TestService, startTestService } from '../support/service.ts'
import { pricedModel, type PricedModel, raceToEnd } from '../support/tuning.ts'

const shared = (path: string) => fileURLToPath(new URL(`../../../shared/data/gsm8k/${path}`, import.meta.url))
const solutions = shared('example_model_solutions.jsonl')
const columns = { '175b_finetuning': 20, '175b_verification': 40, '6b_finetuning': 1, '6b_verification': 2 }
type Column = keyof typeof columns

let service: TestService
const models = new Map<Column, PricedModel>()

/** One session for each current call; its cases are GSM8K's own test. */
async function race(current: Column, candidates: readonly Column[], mode: 'race' | 'full'): Promise<TuneSession> {
  const model = (column: Column) => ({ kind: 'connection' as const, connection_id: models.get(column)?.id ?? '' })
  const lines = readFileSync(shared('test.jsonl'), 'utf8').trim().split('\n')
  const cases = lines.map((line, i) => {
    const { question, answer }: { question: string; answer: string } = JSON.parse(line)
    return { id: `gsm8k-${i}`, input: question, expected: (answer.split('#### ')[1] ?? '').replaceAll(',', '') }
  })
  const { id } = await service.client.call('createTuneSession', {
    body: {
      name: `GSM8K over ${current}`,
      call: { model: model(current), prompt_template: '{input}\n\nGive the final number on the last line in the form\nA: <number>' },
      grader: { scorer: 'assay/exact_match', options: { extraction: 'answer_line', remove: [','] } },
      cases,
      objective: { margin: 0.03 },
    },
  })
  return raceToEnd(
    service.client,
    id,
    candidates.map(column => ({ label: column, model: model(column) })),
    mode,
  )
}

const arm = (session: TuneSession, column: Column) => session.groups[0]?.arms.find(({ label }) => label === column)

describe.skipIf(!existsSync(solutions))('recorded GSM8K solutions with made-up rates (skipped where the shared data is absent)', () => {
  beforeAll(async () => {
    service = await startTestService()
    for (const [column, rate] of Object.entries(columns) as [Column, number][]) // Object.entries has the keys it was given
      models.set(
        column,
        await pricedModel(service.client, column, answersFromGsm8k(solutions, column), rate * 1_000_000, { concurrency: 32 }),
      )
  })
  afterAll(async () => {
    for (const { server } of models.values()) await server.close()
    await service.close()
  })

  test('over 175b_finetuning, 6b_verification is accepted and 6b_finetuning dropped early', async () => {
    const session = await race('175b_finetuning', ['6b_verification', '6b_finetuning'], 'race')
    expect(session).toMatchObject({ status: 'complete', conclusion: { recommended: '6b_verification' } })
    expect(arm(session, '6b_verification')?.verdict).toBe('accepted')
    expect(arm(session, '6b_finetuning')).toMatchObject({ verdict: 'dropped', reason: 'futile' })
    expect(arm(session, '6b_finetuning')?.looks.length).toBeLessThanOrEqual(2)
  })

  test('over 175b_verification, nothing is accepted', async () => {
    const session = await race('175b_verification', ['175b_finetuning', '6b_verification', '6b_finetuning'], 'race')
    expect(session.conclusion).toMatchObject({ recommended: null, reason: 'none_accepted' })
    expect(session.groups[0]?.arms.map(({ verdict }) => verdict)).toEqual([null, 'dropped', 'dropped', 'dropped'])
  })

  test('in full, 6b_verification over 175b_finetuning gives the figures of the release gate', async () => {
    const session = await race('175b_finetuning', ['6b_verification'], 'full')
    const seen = arm(session, '6b_verification')
    expect(seen).toMatchObject({ verdict: 'accepted', n: 1319, missing: 0, quality: { mean: expect.closeTo(515 / 1319, 12) } })
    const [look] = seen?.looks ?? []
    expect(look?.difference).toMatchObject({
      mean: expect.closeTo(0.0432, 4),
      interval: { low: expect.closeTo(0.0196, 4), high: expect.closeTo(0.0669, 4), level: expect.closeTo(0.9, 5), method: 'tango' },
    })
    // One-sided p of 2.3e-7.
    expect(look?.z).toBeCloseTo(5.04, 1)
  })
})
