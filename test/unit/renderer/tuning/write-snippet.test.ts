import { expect, test } from 'vitest'
import { writeSnippet } from '../../../../src/renderer/tuning/write-snippet.ts'

const change = { model: 'gpt-6-nano', effort: 'low', prompt: null }

test.each([
  [
    'Python',
    'client.chat.completions.create(\n  model="gpt-6",\n  reasoning_effort="high",\n  messages=m)',
    'client.chat.completions.create(\n  model="gpt-6-nano",\n  reasoning_effort="low",\n  messages=m)',
  ],
  [
    'TypeScript',
    "generateText({ model: openai('gpt-6'), reasoningEffort: 'high', prompt })",
    "generateText({ model: openai('gpt-6-nano'), reasoningEffort: 'low', prompt })",
  ],
  ['curl', `curl -d '{"model": "gpt-6", "reasoning_effort": "high"}'`, `curl -d '{"model": "gpt-6-nano", "reasoning_effort": "low"}'`],
])('is the pasted %s with the recommended model and effort', (_, snippet, expected) => {
  expect(writeSnippet(snippet, change)).toEqual({ code: expected, left: [] })
})

test('says what it could not write: an effort without a place, and a prompt', () => {
  const prompt = { system_prompt: null, prompt_template: 'Sort: {input}' }
  expect(writeSnippet('call(model="gpt-6")', { ...change, prompt })).toEqual({
    code: 'call(model="gpt-6-nano")',
    left: ['Set the reasoning effort to “low”.', 'Replace the prompt by the one below.'],
  })
  expect(writeSnippet('call(model="gpt-6", effort="high")', { ...change, effort: null })?.left).toEqual([
    'Remove the reasoning effort “high”.',
  ])
})

test('writes nothing where the model cannot be read', () => {
  expect(writeSnippet('call(model=pick())', change)).toBeNull()
})
