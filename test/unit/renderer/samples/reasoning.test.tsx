import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ExampleView } from '../../../../src/renderer/datasets/example-view.tsx'
import { WithoutReasoning } from '../../../../src/renderer/samples/reasoning.tsx'

test('folds what a model thought before its answer', () => {
  const shown = renderToStaticMarkup(<WithoutReasoning text="<think>Is it 4?</think>5">{answer => <p>{answer}</p>}</WithoutReasoning>)
  expect(shown).toContain('<summary>Reasoning (8 characters)</summary>')
  expect(shown).toMatch(/<p>5<\/p>$/)
  expect(shown).not.toContain('Is it 4?')
})

test.each([null, '5'])('folds the reasoning in an example whose reference is %j', expected => {
  const example = { input: 'What is 2 + 3?', output: '<think>Is it 4?</think>5', expected, metadata: {} }
  const shown = renderToStaticMarkup(<ExampleView example={example} />)
  expect(shown).toContain('Reasoning (8 characters)')
  expect(shown).not.toContain('think')
})
