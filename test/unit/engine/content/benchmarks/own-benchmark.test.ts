import { expect, test } from 'vitest'
import { ownBenchmark, slugOf } from '../../../../../src/engine/content/benchmarks/own-benchmark.ts'
import { scorers } from '../../../../../src/engine/grading/scorers/registry.ts'

test.each([
  ['Capital cities', 'capital-cities'],
  ['  Ünï & Çödé 2 ', 'uni-code-2'],
  ['../../etc/passwd', 'etc-passwd'],
  ['x'.repeat(100), 'x'.repeat(60)],
])('%j has the slug %s', (title, slug) => {
  expect(slugOf(title)).toBe(slug)
})

test('titles in other scripts have slugs of their own', () => {
  expect(slugOf('日本語')).toMatch(/^imported-[0-9a-f]{8}$/)
  expect(slugOf('日本語')).not.toBe(slugOf('中文'))
})

test.each([true, false])('has metrics that this version can compute (choices: %s)', hasChoices => {
  for (const { metrics, promptTemplate } of ownBenchmark('Mine', 'mine', hasChoices).profiles) {
    for (const { scorer, options } of metrics) expect(scorers.get(scorer)?.options.safeParse(options).success).toBe(true)
    expect(promptTemplate).toContain('{input}')
    expect(promptTemplate.includes('{choices}')).toBe(hasChoices)
  }
})
