import { describe, expect, test } from 'vitest'
import { type LabelMenu, predictLabel } from '../../../../../src/engine/grading/calibration/predict-label.ts'
import { crossValidate } from '../../../../../src/engine/grading/drafting/cross-validate.ts'
import { draftCandidates, type DraftExample } from '../../../../../src/engine/grading/drafting/draft-candidates.ts'
import { prepareScorer } from '../../../../../src/engine/grading/scorers/registry.ts'
import { mulberry32 } from '../../../../../src/engine/statistics/random.ts'

const passFail: LabelMenu = { task: 'answer', labels: ['pass', 'fail'], range: null }
const colors: LabelMenu = { task: 'classify', labels: ['red', 'green (light)', 'blue'], range: null }
const sums: DraftExample[] = Array.from({ length: 60 }, (_, i) => ({
  exampleId: `e${i}`,
  output: `With ${'x'.repeat(i % 7)} the sum of ${i} and nothing is ${i % 3 === 0 ? i + 1 : i}.0`,
  targets: [String(i)],
  label: i % 3 === 0 ? 'fail' : 'pass',
}))

function best(examples: readonly DraftExample[], menu: LabelMenu) {
  return draftCandidates(examples, menu)
    .map(candidate => {
      const score = prepareScorer(candidate)
      const items = examples.map(({ exampleId, output, targets, label }) => ({
        exampleId,
        label: label ?? '',
        prediction: predictLabel(
          score({ output: output ?? '', targets: candidate.target_from === 'label' ? [label ?? ''] : targets }),
          menu,
        ),
      }))
      return { candidate, ...crossValidate(items, menu.labels, 1) }
    })
    .toSorted((a, b) => (b.agreement.interval?.low ?? 0) - (a.agreement.interval?.low ?? 0))[0]
}

describe('heuristic drafts', () => {
  test('find the number for sums', () => {
    const found = best(sums, passFail)
    expect(found?.candidate.scorer).toBe('assay/numeric')
    expect(found?.agreement.mean).toBe(1)
    expect(found?.folds).toEqual([1, 1, 1, 1, 1])
  })

  test('find the label that an output names', () => {
    const examples = Array.from({ length: 40 }, (_, i): DraftExample => {
      const label = colors.labels[i % 3] ?? ''
      return { exampleId: `e${i}`, output: `It looks ${label}.`, targets: [], label: label }
    })
    expect(best(examples, colors)?.candidate).toMatchObject({ scorer: 'assay/exact_match', target_from: 'label' })
  })

  test('contain only options that their scorers accept', () => {
    const shapes = [['4'], ['{"a":1}'], ['B'], ['free text (a+b)*']].map(targets => sums.map(example => ({ ...example, targets })))
    for (const menu of [passFail, colors])
      for (const shape of [...shapes, []])
        for (const candidate of draftCandidates(shape, menu)) expect(() => prepareScorer(candidate), candidate.scorer).not.toThrow()
  })
})

describe('crossValidate', () => {
  const random = mulberry32(4)
  const items = Array.from({ length: 100 }, (_, i) => {
    const label = i % 2 ? 'pass' : 'fail'
    return { exampleId: `e${i}`, label, prediction: { kind: 'value' as const, value: (label === 'pass' ? 0.5 : 0.1) + 0.4 * random() } }
  })

  test('chooses thresholds on the other folds, and is the same for the same seed', () => {
    const found = crossValidate(items, ['pass', 'fail'], 1)
    expect(found.threshold).toBeGreaterThan(0.45)
    expect(found.threshold).toBeLessThan(0.55)
    expect(found.folds).toHaveLength(5)
    expect(crossValidate(items, ['pass', 'fail'], 1)).toEqual(found)
  })

  test('counts an item without a verdict as a disagreement and names it', () => {
    const found = crossValidate(
      items.map((item, i) => (i === 0 ? { ...item, prediction: { kind: 'unscored' as const, reason: '' } } : item)),
      ['pass', 'fail'],
      1,
    )
    expect(found.unscored).toBe(1)
    expect(found.disagreements).toContain('e0')
  })

  test('does not learn from the items it is measured on', () => {
    const noise = items.map(item => ({ ...item, prediction: { kind: 'value' as const, value: random() } }))
    expect(crossValidate(noise, ['pass', 'fail'], 1).agreement.mean).toBeLessThan(0.62)
  })
})
