import { expect, test, vi } from 'vitest'
import { countPromptTokens } from '../../../../src/engine/clients/tokens/count-tokens.ts'
import { findTruncation } from '../../../../src/engine/clients/usage/find-truncation.ts'
import { answered } from '../../execution/scheduler/fixtures.ts'

const long = 'The quick brown fox jumps over the lazy dog. '.repeat(200)
const requestOf = (content: string) => ({ messages: [{ role: 'user' as const, content }], temperature: 0, maxOutputTokens: 8, stop: [] })
const found = (content: string, inputTokens: number | null) => {
  const count = vi.fn(async (messages: Parameters<typeof countPromptTokens>[0]) => countPromptTokens(messages))
  const usage = inputTokens === null ? null : { inputTokens, outputTokens: 3 }
  return { count, note: findTruncation(requestOf(content), answered('x', { usage }), count) }
}
const whole = countPromptTokens(requestOf(long).messages)

test('a prompt of which the server counts a quarter is noted as cut, with both counts and the remedy', async () => {
  const note = await found(long, Math.round(whole / 4)).note
  expect(note).toMatchObject({ code: 'prompt_truncated', message: expect.stringContaining('num_ctx') })
  expect(note?.message).toContain(`${Math.round(whole / 4)} of about ${whole}`)
})

test('a prompt that was read whole is not counted again', async () => {
  const { note, count } = found(long, whole)
  expect(note).toBeNull()
  expect(count).not.toHaveBeenCalled()
})

test('a prompt is not taken for cut where nothing was counted, or where it fits every server', async () => {
  expect(found(long, null).note).toBeNull()
  expect(found('What is 2 + 2?', 1).note).toBeNull()
})

test('a tokenizer that differs by less than a fifth cuts nothing', async () => {
  expect(await found(long, Math.ceil(whole * 0.81)).note).toBeNull()
})
