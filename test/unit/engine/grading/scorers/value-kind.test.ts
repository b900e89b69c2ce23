import { describe, expect, test } from 'vitest'
import { bundledBenchmarks } from '../../../../../src/engine/content/benchmarks/bundled-benchmarks.ts'
import { recipes } from '../../../../../src/engine/importing/recipes/recipes.ts'
import { isBinaryScorer } from '../../../../../src/engine/grading/scorers/value-kind.ts'

describe('the kind of a metric’s values', () => {
  const definitions = [...bundledBenchmarks(), ...recipes].map(({ definition }) => definition)
  test.each(definitions.map(definition => [definition.slug, definition] as const))(
    'is what the profiles of %s declare',
    (_, { profiles }) => {
      for (const { metrics } of profiles)
        for (const metric of metrics) expect([metric.id, isBinaryScorer(metric)]).toEqual([metric.id, metric.binary])
    },
  )

  test.each([
    ['assay/set_match', {}, true],
    ['assay/set_match', { measure: 'f1' }, false],
    ['lm_eval/drop', {}, false],
    ['lm_eval/drop', { metric: 'em' }, true],
    ['promptfoo/test', { metric: 'score' }, false],
    ['autoevals/Levenshtein', {}, false],
    ['assay/exact_match', {}, true],
  ])('of %s with %j is right or wrong: %s', (scorer, options, binary) => {
    expect(isBinaryScorer({ scorer, options })).toBe(binary)
  })
})
