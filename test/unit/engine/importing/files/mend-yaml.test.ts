import { expect, test } from 'vitest'
import { lookAt } from './look-at.ts'

test.each([
  ['a line that is indented further', 'task: a\n  doc_to_text: x\n', 1, 'indent the next line like this one at column 7'],
  [
    'a line that is indented less than its item',
    'metric_list:\n  - metric: acc\n   aggregation: mean\n',
    3,
    'Indent the line like the other lines of its item',
  ],
  ['an item that is indented less than others', 'tests:\n  - vars: {q: a}\n - vars: {q: b}\n', 3, 'Indent the line like its neighbors'],
  [
    'a text under | that is not indented',
    'doc_to_text: |\nQuestion\nAnswer: x\n',
    2,
    'Indent the line further if it belongs to the text above',
  ],
  ['a tab', 'tests:\n\t- vars: 1\n', 2, 'Indent the line with spaces instead of a tab'],
  ['a dash without a space', 'tests:\n  -vars: a\n  - vars: b\n', 3, 'or put a space after the "-" of the line above at column 1'],
  ['a text with a colon', 'doc_to_text: Question: x\n', 1, 'Put the text after the first ":" in quotes'],
])('%s is named by its line with what mends it', async (_, content, line, cure) => {
  const { problems } = await lookAt('promptfoo_yaml', [{ name: 'promptfooconfig.yaml', content }])
  expect(problems).toMatchObject([{ line, message: expect.stringContaining(cure) }])
})
