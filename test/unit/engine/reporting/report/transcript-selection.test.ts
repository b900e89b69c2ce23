import { describe, expect, test } from 'vitest'
import { TranscriptSelection } from '../../../../../src/engine/reporting/report/explorer/transcript-selection.ts'
import type { ReportSample } from '../../../../../src/engine/reporting/report/report-sample.ts'
import { textsInMemory } from './collect.ts'
import { emptySample } from './run-fixture.ts'

function scored(position: number, ...values: number[]): ReportSample {
  const details = values.map((value, index) => ({
    metric: `m${index}`,
    title: `m${index}`,
    scorer: 's',
    scorer_version: 1,
    value,
    class: 'correct' as const,
    code: null,
    answer: null,
    answer_span: null,
    explanation: '',
  }))
  return { ...emptySample(position), status: 'scored', passed: values[0] === 1, score_details: details }
}

/** Offers samples with transcripts of 100 bytes and returns the positions that were chosen. */
function choose(samples: readonly ReportSample[], budget: number): number[] {
  const selection = new TranscriptSelection(budget, textsInMemory())
  for (const sample of samples) selection.offer(sample, () => String(sample.position).padEnd(100, '.'))
  return selection.chosen().transcripts.map(place => Number.parseFloat(selection.read(place)))
}

describe('TranscriptSelection', () => {
  test('selects all that fit, in order', () => {
    expect(choose([scored(0, 1), scored(1, 0), scored(2, 1)], 300)).toEqual([0, 1, 2])
  })

  test('takes failures, missing verdicts and disagreements before anything else', () => {
    const samples = Array.from({ length: 1000 }, (_, position) => scored(position, position % 2, position % 2))
    samples[700] = { ...emptySample(700), status: 'failed' }
    samples[801] = { ...scored(801), passed: null }
    samples[999] = scored(999, 0, 1)
    const chosen = choose(samples, 2000)
    expect(chosen).toHaveLength(20)
    expect(chosen).toEqual(expect.arrayContaining([700, 801, 999]))
  })

  test('spreads the others evenly over the run', () => {
    const chosen = choose(
      Array.from({ length: 4096 }, (_, position) => scored(position, 1)),
      6400,
    )
    expect(chosen).toHaveLength(64)
    const gaps = chosen.slice(1).map((position, index) => position - (chosen[index] ?? 0))
    expect(Math.max(...gaps)).toBeLessThanOrEqual(128)
  })

  test('does not depend on how often it had to make room', () => {
    const samples = Array.from({ length: 500 }, (_, position) => scored(position, 1))
    const inOneGo = new TranscriptSelection(5000, textsInMemory())
    const stepByStep = new TranscriptSelection(5000, textsInMemory())
    for (const sample of samples) {
      for (const selection of [inOneGo, stepByStep]) selection.offer(sample, () => String(sample.position).padEnd(100, '.'))
      stepByStep.chosen()
    }
    const textsOf = (selection: TranscriptSelection) => selection.chosen().transcripts.map(place => selection.read(place))
    expect(textsOf(stepByStep)).toEqual(textsOf(inOneGo))
  })

  test('ends before the first that does not fit, however short those after it are', () => {
    // By rank: 0 takes 90 of the 100 bytes, 4 does not fit, 2 would.
    const bytes: Readonly<Record<number, number>> = { 0: 90, 4: 20, 2: 5 }
    for (const order of [
      [0, 4, 2],
      [2, 0, 4],
      [4, 0, 2],
    ]) {
      const selection = new TranscriptSelection(100, textsInMemory())
      for (const position of order) {
        selection.offer(scored(position, 1), () => String(position).padEnd(bytes[position] ?? 0, '.'))
        selection.chosen()
      }
      expect(selection.chosen().transcripts.map(place => Number.parseFloat(selection.read(place)))).toEqual([0])
    }
  })

  test('makes no transcript that can no longer be chosen', () => {
    const selection = new TranscriptSelection(1000, textsInMemory())
    let made = 0
    for (let position = 0; position < 4096; position++)
      selection.offer(scored(position, 1), () => {
        made++
        return '.'.repeat(100)
      })
    expect(selection.chosen().transcripts).toHaveLength(10)
    expect(made).toBeLessThan(150)
  })

  test('counts bytes, not characters, and takes nothing with no budget', () => {
    const selection = new TranscriptSelection(100, textsInMemory())
    selection.offer(scored(0, 1), () => '€'.repeat(40))
    expect(selection.chosen()).toEqual({ transcripts: [], pictures: [] })
    expect(choose([scored(0, 1)], 0)).toEqual([])
  })
})
