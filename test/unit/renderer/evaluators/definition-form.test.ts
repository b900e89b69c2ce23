import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EvaluatorDefinition } from '../../../../src/contract/evaluators/evaluator-definition.schemas.ts'
import { definitionOf, emptyForm, formOf } from '../../../../src/renderer/evaluators/definition-form.ts'

const id = fc.uuid({ version: 7 })
const text = fc.string({ minLength: 1, maxLength: 20 }).filter(value => value.trim() !== '' && value === value.trim())
const options = fc.dictionary(fc.constantFrom('tolerance', 'ignore_case', 'pattern'), fc.oneof(fc.boolean(), fc.integer(), text))
const model = fc.oneof(
  fc.record({ kind: fc.constant('managed'), route_id: fc.constantFrom('assay/echo', 'ollama/gemma:4b') }),
  fc.record({ kind: fc.constant('connection'), connection_id: id }),
)
const judge = fc.record({
  model,
  effort: fc.constantFrom(null, 'low', 'high'),
  temperature: fc.constantFrom(null, 0, 0.7, 2),
})
const settings = {
  kind: fc.constant('model_graded'),
  judges: fc.array(judge, { minLength: 1, maxLength: 5 }),
  instructions: text,
  reference: fc.constantFrom('expected', 'none'),
  votes: fc.integer({ min: 1, max: 9 }),
  combine: fc.constantFrom('majority', 'mean', 'unanimous'),
  explanation: fc.constantFrom('before', 'after', 'none'),
}
const passes = { requiredKeys: ['value', 'meaning'] as ['value', 'meaning'] }
const verdicts = (values: readonly string[]) =>
  fc.tuple(
    ...values.map(value =>
      fc.record({ value: fc.constant(value), meaning: fc.constantFrom('', 'a: b', 'met'), passes: fc.boolean() }, passes),
    ),
  )
const criteria = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom('c1', 'c2', 'tone', 'facts'),
    text,
    points: fc.constantFrom(1, 2.5, 10),
    required: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4, selector: criterion => criterion.id },
)
const definitions = fc.oneof(
  fc.record({
    kind: fc.constant('deterministic'),
    scorer: fc.constantFrom('assay/exact_match', 'assay/f1'),
    options,
    target_from: fc.oneof(fc.constantFrom('expected', 'label'), fc.record({ metadata: text })),
  }),
  fc.record({ kind: fc.constant('remote'), remote_scorer_id: id, options }),
  fc.record(
    {
      kind: fc.constant('composite'),
      operation: fc.constantFrom('all', 'any', 'weighted'),
      parts: fc.array(fc.record({ evaluator_version_id: id, weight: fc.constantFrom(0.25, 1, 3) }), { minLength: 1, maxLength: 5 }),
      pass_threshold: fc.constantFrom(0, 0.5, 1),
    },
    { requiredKeys: ['kind', 'operation', 'parts'] },
  ),
  fc.record({
    ...settings,
    mode: fc.constant('classification'),
    menu: verdicts(['right', 'partly', 'wrong']),
    template: fc.constant('Q {input} A {output} R {reference}'),
  }),
  fc.record({ ...settings, mode: fc.constant('score'), menu: verdicts(['1', '2', '3']) }),
  fc.record({ ...settings, mode: fc.constant('rubric'), criteria, menu: fc.oneof(fc.constant([]), verdicts(['yes', 'no'])) }),
  fc.record({ ...settings, mode: fc.constant('pairwise'), swap: fc.boolean(), menu: fc.oneof(fc.constant([]), verdicts(['a', 'b'])) }),
)

test('keeps every field of a version that is opened and saved again', () => {
  fc.assert(
    fc.property(definitions, raw => {
      const definition = EvaluatorDefinition.parse(raw)
      expect(definitionOf(formOf({ name: 'A', description: 'B', definition }))).toEqual({ definition })
    }),
    { numRuns: 300 },
  )
})

test('says what a form lacks', () => {
  expect(definitionOf({ ...emptyForm, options: '{' })).toEqual({ problem: 'Options must be JSON.' })
  expect(definitionOf({ ...emptyForm, kind: 'model_graded' })).toEqual({ problem: 'Choose at least one judge.' })
  expect(definitionOf({ ...emptyForm, kind: 'composite' })).toEqual({ problem: 'Choose at least one part.' })
})
