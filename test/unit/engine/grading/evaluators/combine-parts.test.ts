import { describe, expect, test } from 'vitest'
import { CompositeDefinition } from '../../../../../src/contract/evaluators/evaluator-definition.schemas.ts'
import { combineParts } from '../../../../../src/engine/grading/evaluators/combine-parts.ts'
import { graded, unscored } from '../../../../../src/engine/grading/scorers/verdict.ts'

const id = '0190c4f0-0000-7000-8000-000000000001'
const composite = (change: Record<string, unknown>) =>
  CompositeDefinition.parse({
    kind: 'composite',
    parts: [{ evaluator_version_id: id, weight: 3 }, { evaluator_version_id: id }],
    ...change,
  })
const score = (value: number | null) => (value === null ? unscored('no verdict') : graded(value, { answer: null, explanation: 'so' }))

describe('combineParts', () => {
  test.each([
    ['all', [1, 1], 1],
    ['all', [1, 0], 0],
    ['all', [0, null], 0],
    ['all', [1, null], null],
    ['all', [1, 0.9], 0],
    ['any', [0, 1], 1],
    ['any', [1, null], 1],
    ['any', [0, null], null],
    ['any', [0, 0.5], 0],
    ['weighted', [1, 0], 0.75],
    ['weighted', [1, null], null],
  ] as const)('%s of %j is %j', (operation, values, expected) => {
    expect(combineParts(composite({ operation }), values.map(score)).value).toBe(expected)
  })

  test('passes a weighted mean from its threshold on', () => {
    const weighted = composite({ operation: 'weighted', pass_threshold: 0.75 })
    expect(combineParts(weighted, [score(1), score(0)])).toMatchObject({ value: 1, class: 'correct', values: { weighted_mean: 0.75 } })
    expect(combineParts(weighted, [score(0), score(1)])).toMatchObject({ value: 0, class: 'wrong' })
  })
})
