import { expect, test } from 'vitest'
import { RowError } from '../../../../../src/engine/importing/files/row.ts'
import { ifeval } from '../../../../../src/engine/importing/recipes/readable/ifeval.ts'

test('refuses an instruction that no checker of IFEval knows, by its name', () => {
  const row = { key: 1, prompt: 'Write.', instruction_id_list: ['count:keywords_multiple'], kwargs: [{}] }
  const [content] = ifeval.files.map(file => file.content)
  expect(() => content?.read({ line: 1, position: 1, value: row })).toThrow(RowError)
  expect(() => content?.read({ line: 1, position: 1, value: row })).toThrow(/no checker knows the instruction "count:keywords_multiple"/)
})
