import { expect, test } from 'vitest'
import { scorers } from '../../../../src/engine/grading/scorers/registry.ts'
import { scorerItems } from '../../../../src/renderer/evaluators/scorer-groups.ts'

const offered = [...scorers.keys()].map(id => ({ id, title: 'Title', description: '', runs_code: false, equals: null, options_schema: {} }))

test('offers every scorer once, in few groups with Assay’s own first', () => {
  const groups = scorerItems(offered, 'assay/exact_match')
  expect(groups.flatMap(({ items }) => items.map(({ value }) => value)).toSorted()).toEqual([...scorers.keys()].toSorted())
  expect(groups[0]?.group).toBe('Assay')
  expect(groups.length).toBeLessThanOrEqual(12)
  const rest = groups.find(({ group }) => group === 'Single benchmarks')?.items.map(({ value }) => value.split('/')[0])
  expect(rest).toEqual(['bbh', 'bfcl', 'spreadsheetbench', 'hendrycks_math'])
})

test('names a scorer that is chosen and not offered by its id', () => {
  expect(scorerItems([], 'lm_eval/gone')).toEqual([
    { group: 'lm-evaluation-harness', items: [{ value: 'lm_eval/gone', label: 'lm_eval/gone' }] },
  ])
  expect(scorerItems([], '')).toEqual([])
})
