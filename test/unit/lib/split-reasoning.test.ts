import { describe, expect, test } from 'vitest'
import { splitReasoning, withReasoning } from '../../../src/lib/split-reasoning.ts'

describe('a model’s text', () => {
  test.each([
    ['<think>\nMaybe 99? No.\n</think>\n\n14', '14', 'Maybe 99? No.'],
    ['Maybe 99? No.\n</think>\n\n14', '14', 'Maybe 99? No.'],
    ['<thinking>hm</thinking>14', '14', 'hm'],
    ['<thought>hm</thought>14', '14', 'hm'],
    ['<THINK>hm</Think> 14', '14', 'hm'],
    ['◁think▷hm◁/think▷14', '14', 'hm'],
    ['[THINK]hm[/THINK]14', '14', 'hm'],
    ['<seed:think>hm</seed:think>14', '14', 'hm'],
    ['<|START_THINKING|>hm<|END_THINKING|>14', '14', 'hm'],
    ['<think>a</think>One <think>b</think>two', 'One two', 'a\n\nb'],
    ['<reasoning>hm</reasoning>14', '14', 'hm'],
    ['<longcat_think>hm</longcat_think>14', '14', 'hm'],
    ['<|START_THINKING|>hm<|END_THINKING|><|START_RESPONSE|>14<|END_RESPONSE|>', '14', 'hm'],
    ['<|begin_of_thought|>hm<|end_of_thought|><|begin_of_solution|>14<|end_of_solution|>', '14', 'hm'],
    ['Here is my thought process: hm\nHere is my response: 14', '14', 'hm'],
    ['<|im_start|>assistant\n<think>hm</think>14', '14', 'hm'],
    ['<think>a<think>b</think>c</think>14', '14', 'a<think>b</think>c'],
    ['<|channel|>analysis<|message|>Sum.<|end|><|start|>assistant<|channel|>final<|message|>14', '14', 'Sum.'],
    ['Sum.<|end|><|start|>assistant<|channel|>final<|message|>14<|return|>', '14', 'Sum.'],
    ['analysisThe user wants a sum.assistantfinal14', '14', 'The user wants a sum.'],
  ])('%j is told apart from its reasoning', (text, output, reasoning) => {
    expect(splitReasoning(text)).toEqual({ output, reasoning })
  })

  test.each(['<think>Option A is wrong. The answer is D', '<|channel|>analysis<|message|>The answer is D', '<think>', 'analysisThe user'])(
    '%j that is cut off inside the thought holds no answer',
    text => {
      expect(splitReasoning(text).output).toBe('')
    },
  )

  test.each([
    '14',
    'Close it with the `</think>` tag.',
    'The block "</think>" ends it.',
    'Write <think> first and </think> last.',
    'In XML: <a><think>x</think></a>',
    'analysis of the sum',
    'Here is my thought process: none.',
    '',
  ])('%j without reasoning stays as it is', text => {
    expect(splitReasoning(text)).toEqual({ output: text, reasoning: null })
  })

  test('keeps the indentation of an answer’s first line and drops an empty thought', () => {
    expect(splitReasoning('<think>\n\n</think>\n\n    return x')).toEqual({ output: '    return x', reasoning: null })
    expect(splitReasoning('</think>\n\nParis')).toEqual({ output: 'Paris', reasoning: null })
  })

  test('is read in time that grows with its length alone', () => {
    const hostile = ['<think>', '<think>a', 'a</think><think>', '<|channel|>a', '<|channel|>a<|message|>', ' ', '</think>`'].map(part =>
      part.repeat(200_000),
    )
    hostile.push('<think>'.repeat(200_000) + '</think>'.repeat(200_000))
    for (const text of hostile) expect(splitReasoning(text).output.length).toBeLessThanOrEqual(text.length)
  })
})

test('reasoning of a field of its own comes before what the text holds', () => {
  expect(withReasoning({ output: '14', reasoning: 'b' }, 'a')).toEqual({ output: '14', reasoning: 'a\n\nb' })
  expect(withReasoning({ output: '14', reasoning: null }, ' ')).toEqual({ output: '14', reasoning: null })
})
