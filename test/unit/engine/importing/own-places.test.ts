import { describe, expect, test } from 'vitest'
import { inOwnPlaces, type LogAnswer, LogError } from '../../../../src/engine/importing/answers/foreign-log.ts'
import { noFacts } from '../../../../src/engine/importing/answers/given-answer.ts'
import { openAiEvalsLog } from '../../../../src/engine/importing/answers/tools/openai-evals-log.ts'
import { lines } from './files/look-at.ts'

const answer = (output: string, epoch: number, more: Partial<LogAnswer> = {}): LogAnswer => ({
  ...noFacts,
  line: null,
  taskIndex: 0,
  profileKey: 'zero-shot',
  model: 'm',
  epoch,
  output,
  ...more,
})
const placed = (...answers: readonly LogAnswer[]) => inOwnPlaces({ title: 'demo', tasks: [], answers })

describe('answers of a log', () => {
  test('for one epoch of a task are further epochs, so that none is lost', () => {
    const { answers, warnings } = placed(answer('a', 1), answer('b', 1), answer('c', 2), answer('d', 1, { taskIndex: 1 }))
    expect(answers.map(({ output, epoch }) => [output, epoch])).toEqual([
      ['a', 1],
      ['b', 3],
      ['c', 2],
      ['d', 1],
    ])
    expect(warnings).toEqual(['One answer is for an epoch of a task of "demo" that has one already; each is taken as a further epoch.'])
  })

  test.each([
    ['models', { model: 'n' }],
    ['prompts', { profileKey: 'prompt-2' }],
    ['runs', { run: 1 }],
  ])('of other %s keep their places', (_, more) => {
    const { answers, warnings } = placed(answer('a', 1), answer('b', 1, more))
    expect(answers.map(({ epoch }) => epoch)).toEqual([1, 1])
    expect(warnings).toEqual([])
  })

  test('of an epoch that no run has are left out by name, and move no other', () => {
    const { answers, warnings } = placed(answer('a', 50_000_000), answer('b', 1), answer('c', 1))
    expect(answers.map(({ output, epoch }) => [output, epoch])).toEqual([
      ['b', 1],
      ['c', 2],
    ])
    expect(warnings[0]).toMatch(/^Left out: The task .* has the epoch 50000000; at most 999 are taken\.$/)
    expect(() => placed(answer('a', 50_000_000))).toThrow(LogError)
  })
})

describe('a sample of OpenAI evals', () => {
  const event = (type: string, data: object) => ({ run_id: 'r', event_id: 0, sample_id: 'e.0', type, data })
  const said = (sampled: string) => event('sampling', { prompt: 'Why?', sampled: [sampled] })
  const match = (correct: boolean) => event('match', { correct })
  const metrics = (score: number) => event('metrics', { score })
  const error = event('error', { message: 'timeout' })
  const rows = async (...events: readonly object[]) => {
    const log = lines({ spec: { completion_fns: ['m'], eval_name: 'e', run_id: 'r' } }, ...events)
    const [read] = await openAiEvalsLog.read([{ name: 'r.jsonl', folder: '', bytes: Buffer.from(log) }])
    return read?.answers.map(({ output, epoch, scores, error: failed }) => [output, epoch, scores, failed])
  }

  test('that was graded twice has two epochs, each with its score', async () => {
    expect(await rows(said('a'), match(true), said('b'), match(false))).toEqual([
      ['a', 1, { match: 1 }, null],
      ['b', 2, { match: 0 }, null],
    ])
  })

  test('that a model graded twice keeps each answer beside its own score', async () => {
    expect(await rows(said('a'), said('good'), metrics(1), said('b'), said('bad'), metrics(0))).toEqual([
      ['a', 1, { score: 1 }, null],
      ['b', 2, { score: 0 }, null],
    ])
  })

  test('with two grades of one answer has one epoch', async () => {
    expect(await rows(said('a'), match(true), said('good'), metrics(1))).toEqual([['a', 1, { match: 1, score: 1 }, null]])
  })

  test('of which the first try failed keeps the second as it is', async () => {
    expect(await rows(error, metrics(0), said('b'), metrics(1))).toEqual([
      [null, 1, { score: 0 }, 'timeout'],
      ['b', 2, { score: 1 }, null],
    ])
    expect(await rows(error, said('b'), metrics(1))).toEqual([['b', 1, { score: 1 }, null]])
  })

  test('has no epoch of what came behind its last grade', async () => {
    expect(await rows(said('a'), match(true), error)).toEqual([['a', 1, { match: 1 }, null]])
    expect(await rows(error, metrics(0), error)).toEqual([[null, 1, { score: 0 }, 'timeout']])
  })

  test('keeps an answer that came without a grade behind one with it', async () => {
    expect(await rows(said('a'), match(true), said('b'))).toEqual([
      ['a', 1, { match: 1 }, null],
      ['b', 2, {}, null],
    ])
  })
})
