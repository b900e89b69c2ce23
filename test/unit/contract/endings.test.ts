import { expect, test } from 'vitest'
import { endingNotices, noticeCodes, noticeLabel, resultNotice, sampleNotice } from '../../../src/contract/runs/call-notes.ts'
import { endingOf } from '../../../src/contract/runs/endings.ts'

test.each([
  ['stop', 'good'],
  ['STOP', 'good'],
  ['end_turn', 'good'],
  ['eosFound', 'good'],
  ['TASK_STATE_COMPLETED', 'good'],
  ['tool-calls', 'tool_calls'],
  ['length', 'cut_off'],
  ['MAX_TOKENS', 'cut_off'],
  ['FinishReason.MAX_TOKENS', 'cut_off'],
  ['contextLengthReached', 'cut_off'],
  ['model_length', 'cut_off'],
  ['content_filter: PROHIBITED_CONTENT', 'refused'],
  ['RECITATION', 'refused'],
  ['BLOCKLIST', 'refused'],
  ['SPII', 'refused'],
  ['sensitive', 'refused'],
  ['ERROR_TOXIC', 'refused'],
  ['error', 'failed'],
  ['abort', 'failed'],
  ['network_error', 'failed'],
  ['insufficient_system_resource', 'failed'],
  ['MALFORMED_FUNCTION_CALL', 'failed'],
  ['load', 'failed'],
  ['MISSING_THOUGHT_SIGNATURE', 'failed'],
  ['canceled', 'failed'],
  ['OTHER', 'unknown'],
  ['because', 'unknown'],
  ['', null],
  ['null', null],
  [null, null],
])('an answer that ends by %j is %j', (word, ending) => {
  expect(endingOf(word)).toBe(ending)
})

test('an answer has the notices that its ending, its text and its reasoning call for', () => {
  expect(endingNotices('stop', true, true)).toEqual([])
  expect(endingNotices('length', true, false)).toEqual(['answer_cut_off'])
  expect(endingNotices('length', false, true)).toEqual(['answer_missing'])
  expect(endingNotices('stop', false, true)).toEqual(['answer_missing'])
  expect(endingNotices('stop', false, false)).toEqual(['answer_empty'])
  expect(endingNotices('because', true, false)).toEqual(['unknown_ending'])
  expect(endingNotices('content_filter', false, true)).toEqual(['answer_filtered'])
  expect(endingNotices(null, true, false)).toEqual([])
})

test('each notice has a label and words for a sample and for a result, under one code', () => {
  for (const code of noticeCodes) {
    expect(noticeLabel(code)).toMatch(/^[A-Z]/)
    expect(sampleNotice(code)).toMatchObject({ code, message: expect.stringMatching(/\.$/) })
    expect(resultNotice(code, '2', '30')).toMatchObject({ code, message: expect.stringContaining('2 of 30') })
  }
})
