import { expect, test } from 'vitest'
import { refuses } from '../../../src/lib/refuses.ts'

test.each([
  "I'm sorry, but I can't help with that.",
  'I’m sorry, but I can’t assist with that request.',
  'Sorry, I cannot provide this.',
  'I apologize, but I am unable to do so.',
  'Unfortunately, I cannot answer questions about it.',
  "I won't do that.\nAsk me something else.",
])('takes %j for a refusal', text => expect(refuses(text)).toBe(true))

test.each([
  '',
  'The answer is 34.',
  "I'm sorry to hear that. The answer is 34.",
  "I can't be sure, but the answer is 34.",
  'Sorry, the answer is 34.',
  'The model said: I cannot help with that.',
])('takes %j for an answer', text => expect(refuses(text)).toBe(false))
