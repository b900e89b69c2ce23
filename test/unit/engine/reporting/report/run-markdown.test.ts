import { expect, test } from 'vitest'
import { renderRunMarkdown } from '../../../../../src/engine/reporting/exports/run-markdown.ts'
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
