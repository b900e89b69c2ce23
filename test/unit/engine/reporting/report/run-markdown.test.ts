import { expect, test } from 'vitest'
import { headlineMarkdown, renderRunMarkdown } from '../../../../../src/engine/reporting/exports/run-markdown.ts'
import { fixtureResults, fixtureSamples, stream } from './run-fixture.ts'

test('lists wrong samples as wrong and failed ones as failed', async () => {
  const samples = fixtureSamples(40)
  let text = ''
  await renderRunMarkdown(
    fixtureResults(samples),
    () => stream(samples),
    bytes => {
      text += typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes)
    },
  )
  const listed = text.split('### Samples that are not correct')[1] ?? ''
  const outcomes = [...listed.matchAll(/\| (\w+) \|$/gm)].map(([, word]) => word)
  const count = (word: string) => outcomes.filter(one => one === word).length
  expect(count('failed')).toBe(samples.filter(({ status }) => status === 'failed').length)
  expect(count('wrong')).toBe(samples.filter(({ passed }) => passed === false).length)
  expect(outcomes).not.toContain('passed')
})

test('shows with each score its signature and what it would be if all without a score were wrong', () => {
  const results = fixtureResults(fixtureSamples(40))
  const signature = 'nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0'
  const metrics = results.metrics.map((metric, i) => (i === 0 ? { ...metric, signature, unscored: 4, worst_case: 0.506 } : metric))
  const rows = headlineMarkdown({ ...results, metrics })
    .split('\n')
    .filter(line => line.startsWith('| '))
  // A bar would end the cell.
  expect(rows[1]).toContain(`(${signature.replaceAll(/[:|]/g, character => `&#${character.charCodeAt(0)};`)})`)
  expect(rows[1]).toMatch(/ \| 4 \| 50\.6 % \|$/)
  expect(rows[2]).not.toContain('nrefs')
})
