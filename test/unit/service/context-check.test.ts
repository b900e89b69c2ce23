import { expect, test } from 'vitest'
import { checkCompatibility } from '../../../src/service/quotes/check-compatibility.ts'
import type { FrozenSelection } from '../../../src/service/quotes/select-tasks.ts'
import type { SelectedModel } from '../../../src/service/quotes/select-model.ts'

const model = {
  snapshot: { title: 'm', is_model: true },
  capabilities: [],
  efforts: [],
  contextTokens: null,
  servedContextTokens: 4096,
  reasons: false,
  maxOutputTokens: null,
  unavailable: null,
} as unknown as SelectedModel // what the checks of limits read
const selection = {
  profile: { id: 'p' },
  definition: { requires: [] },
  tasks: [{}],
  available: 1,
  asked: null,
  generation: { temperature: null, max_output_tokens: 1024, stop: [] },
} as unknown as FrozenSelection // what the checks of limits read

const inputLimit = (longest: number, more: Partial<SelectedModel> = {}, files = 0) =>
  checkCompatibility({ ...model, ...more }, [selection], { longest: [longest], files: [files] }, null, []).find(
    ({ check }) => check === 'input_limit',
  )

test('a prompt is held against the context length that the server stated, and against that of the connection first', () => {
  expect(inputLimit(3000)).toMatchObject({ status: 'pass', detail: expect.stringContaining('4024 of the 4096 tokens') })
  expect(inputLimit(3500)).toMatchObject({ status: 'warn', detail: expect.stringContaining('4096 tokens that the server states') })
  expect(inputLimit(3500, { contextTokens: 8192 })?.status).toBe('pass')
  expect(inputLimit(3500, { contextTokens: 4000 })?.status).toBe('fail')
  expect(inputLimit(3500, { servedContextTokens: null })?.detail).toContain('not stated')
})

test('files that may not fit beside the longest prompt are a warning, since they may belong to a shorter one', () => {
  expect(inputLimit(3000, {}, 72)?.status).toBe('pass')
  expect(inputLimit(3000, {}, 73)).toMatchObject({ status: 'warn', detail: expect.stringContaining('up to about 3073 tokens') })
  expect(inputLimit(3000, { contextTokens: 4000 }, 1)?.status).toBe('fail')
  expect(inputLimit(3000, { servedContextTokens: null }, 9_999_999)?.detail).toContain('not stated')
})
