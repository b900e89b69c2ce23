import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createGrading, verdictFor } from '../../../../src/engine/execution/scheduler/grading.ts'
import type { ScoreBatch, ScoreReport } from '../../../../src/engine/execution/scheduler/ports.ts'
import type { Score } from '../../../../src/engine/grading/scorers/scorer.ts'
import { planWith, profile, task, untilAborted } from './fixtures.ts'

const verdict: Score = { value: 1, class: 'correct', answer: 'x', answerSpan: null, explanation: 'Right.' }
const plan = planWith((_, signal) => untilAborted(signal))

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

function gradingWith(
  score: ScoreBatch,
  {
    graders = () => 1,
    store = async () => undefined,
    closing = () => false,
  }: { graders?: () => number; store?: () => Promise<void>; closing?: () => boolean } = {},
) {
  const reports: ScoreReport[] = []
  const failures: unknown[] = []
  const journal = {
    scores: async (some: readonly ScoreReport[]) => {
      await store()
      reports.push(...some)
    },
  }
  const grading = createGrading(
    plan,
    { score, graders, now: () => 99, monotonic: () => performance.now() },
    journal,
    {
      runNo: 1,
      spending: null,
      payer: null,
      patienceMs: 900_000,
      stopSignal: new AbortController().signal,
      closing,
    },
    error => failures.push(error),
  )
  const add = (position: number, more: { refused?: boolean; output?: string } = {}) =>
    grading.add(
      {
        position,
        profileNo: 0,
        taskNo: position,
        fence: 3,
        output: 'x',
        reasoning: null,
        refused: false,
        holdsFiles: false,
        countTokens: false,
        unwritten: null,
        ...more,
      },
      task(position),
    )
  return { grading, reports, failures, add }
}

const scoring: ScoreBatch = async (metrics, inputs) => inputs.map(() => ({ scores: metrics.map(() => verdict), tokens: null }))

describe('batches', () => {
  test('gather while a thread is busy, and are full before another one waits behind it', async () => {
    const sizes: number[] = []
    const gates: (() => void)[] = []
    const { grading, reports, add } = gradingWith(async (metrics, inputs) => {
      sizes.push(inputs.length)
      await new Promise<void>(resolve => gates.push(resolve))
      return scoring(metrics, inputs)
    })
    add(0)
    await vi.advanceTimersByTimeAsync(1)
    for (let i = 1; i <= 150; i++) add(i)
    await vi.advanceTimersByTimeAsync(1)
    expect(sizes).toEqual([1, 64])
    expect(grading.backlog()).toBe(151)
    for (let i = 0; i < 4; i++) {
      gates.shift()?.()
      await vi.advanceTimersByTimeAsync(1)
    }
    await grading.drained()
    expect(sizes).toEqual([1, 64, 64, 22])
    expect(reports.map(report => report.position)).toEqual(Array.from({ length: 151 }, (_, i) => i))
    expect(reports[0]).toEqual({ position: 0, profileNo: 0, fence: 3, finishedAt: 99, outputTokens: null, answer: null, scores: [verdict] })
    expect(grading.backlog()).toBe(0)
  })

  test('of long answers are small', async () => {
    const sizes: number[] = []
    const { grading, add } = gradingWith(async (metrics, inputs) => {
      sizes.push(inputs.length)
      return scoring(metrics, inputs)
    })
    const output = 'x'.repeat(1_500_000)
    for (let i = 0; i < 5; i++) add(i, { output })
    add(5, { output: 'x'.repeat(9_000_000) })
    const drained = grading.drained()
    await vi.advanceTimersByTimeAsync(20)
    await drained
    expect(sizes).toEqual([2, 2, 1, 1])
    expect(grading.backlogText()).toBe(0)
  })

  test('keep every thread busy', async () => {
    let most = 0
    let running = 0
    const { grading, add } = gradingWith(
      async (metrics, inputs) => {
        most = Math.max(most, ++running)
        await new Promise(resolve => setTimeout(resolve, 10))
        running--
        return scoring(metrics, inputs)
      },
      { graders: () => 3 },
    )
    for (let i = 0; i < 500; i++) add(i)
    const drained = grading.drained()
    await vi.advanceTimersByTimeAsync(200)
    await drained
    expect(most).toBe(4)
  })
})

test('a refusal has no value, whatever the scorer returns', async () => {
  const { grading, reports, add } = gradingWith(scoring)
  add(0, { refused: true })
  const drained = grading.drained()
  await vi.advanceTimersByTimeAsync(1)
  await drained
  expect(reports[0]?.scores).toEqual([{ ...verdict, value: null, class: 'refused', explanation: 'The model declined to answer. Right.' }])
})

test('a refusal keeps its verdict in words, and no reason why there is none', () => {
  const refusedLabel = (score: Score) => verdictFor([score], { output: 'no', refused: true, holdsFiles: false })[0]?.label
  expect(refusedLabel({ ...verdict, label: 'complied' })).toBe('complied')
  expect(refusedLabel({ ...verdict, value: null, class: 'unscored', label: 'ambiguous' })).toBeUndefined()
})

describe('an answer that ends its thread', () => {
  const poisoned: ScoreBatch = async (metrics, inputs) => {
    if (inputs.some(input => input.output === 'poison')) throw new Error('Worker exited with code 134')
    return scoring(metrics, inputs)
  }

  test('is wrong after three times and takes no other with it', async () => {
    const { grading, reports, add } = gradingWith(poisoned)
    for (let i = 0; i < 5; i++) add(i, { output: i === 2 ? 'poison' : 'x' })
    const drained = grading.drained()
    await vi.advanceTimersByTimeAsync(1)
    await drained
    expect(reports.map(report => report.scores[0]?.class)).toEqual(['correct', 'correct', 'wrong', 'correct', 'correct'])
    expect(reports[2]?.scores).toHaveLength(profile.metrics.length)
    expect(reports[2]?.scores[0]?.explanation).toContain('Worker exited with code 134')
  })

  test('is no answer’s doing where the threads do not work at all', async () => {
    const { grading, reports, add } = gradingWith(() => Promise.reject(new Error('There is no scorer "gone".')))
    add(0)
    const drained = Promise.allSettled([grading.drained()])
    await vi.advanceTimersByTimeAsync(1)
    expect(await drained).toMatchObject([{ status: 'rejected', reason: { message: 'There is no scorer "gone".' } }])
    expect(reports).toEqual([])
  })

  test('is left for the next start when it is the process that closes', async () => {
    const { grading, reports, add } = gradingWith(poisoned, { closing: () => true })
    add(0, { output: 'poison' })
    const drained = Promise.allSettled([grading.drained()])
    await vi.advanceTimersByTimeAsync(1)
    expect(await drained).toMatchObject([{ status: 'rejected' }])
    expect(reports).toEqual([])
  })
})

test('waiting for the last score fails where storing one does', async () => {
  const broken = new Error('the database is broken')
  const { grading, add } = gradingWith(scoring, { store: () => Promise.reject(broken) })
  add(0)
  const drained = Promise.allSettled([grading.drained()])
  await vi.advanceTimersByTimeAsync(1)
  expect(await drained).toMatchObject([{ status: 'rejected', reason: broken }])
})

test('an answer of files alone is unscored, whatever its scorers say; text beside them is graded', () => {
  const wrong: Score = { value: 0, class: 'wrong', answer: '', answerSpan: { start: 0, end: 0 }, explanation: 'No answer.', label: 'none' }
  const graded = (output: string, holdsFiles: boolean) => verdictFor([wrong], { output, refused: false, holdsFiles })[0]
  expect(graded(' \n', true)).toEqual({
    value: null,
    class: 'unscored',
    answer: null,
    answerSpan: null,
    explanation: 'The answer is images or recordings without text. Scorers are given the text alone, so it was not graded.',
  })
  expect([graded('A river', true), graded('', false)]).toEqual([wrong, wrong])
})
