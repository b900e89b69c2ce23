import { expect, test } from 'vitest'
import { groupOf } from '../../../src/storage/reads/sample-groups.ts'

const wrong = { value: 0, class: 'wrong', code: null, answer: '12', notices: '', finish_reason: 'stop', is_empty: 0, output: '12' }

test.each([
  ['a wrong answer', {}, 'wrong'],
  ['a refusal', { value: null, class: 'refused', answer: null }, 'refused'],
  ['a refusal in words', { answer: null, output: 'I’m sorry, but I can’t help with that.' }, 'refused'],
  ['a refusal that a scorer took for right in part', { value: 0.5, output: 'I cannot answer this.' }, 'partial'],
  ['an answer that the filter stopped', { notices: 'answer_filtered' }, 'refused'],
  ['a cut answer, whatever was taken from it', { notices: 'answer_cut_off' }, 'cut_off'],
  ['reasoning without an answer', { notices: 'answer_missing', answer: null }, 'cut_off'],
  ['an answer of an earlier release that was cut', { notices: null, finish_reason: 'length' }, 'cut_off'],
  ['no verdict', { value: null, class: 'unscored', code: 'ambiguous' }, 'unscored'],
  ['no answer', { answer: null }, 'no_answer'],
  ['a blank answer', { answer: ' ' }, 'no_answer'],
  ['an answer that a filter of lm-eval did not find', { answer: '[invalid]' }, 'no_answer'],
  ['the number with its currency', { answer: '$1,560' }, 'other_form'],
  ['a part of a point', { value: 0.5, class: 'partial' }, 'partial'],
])('%s', (_, sample, group) => expect(groupOf({ ...wrong, ...sample }, ['1560'])).toBe(group))
