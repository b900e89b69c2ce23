import { expect, test } from 'vitest'
import { blockedImport, checking } from '../../../../src/renderer/catalog/blocked-import.ts'

const files = [new File(['{}'], 'tasks.jsonl')]
const fields = { format: 'jsonl' } as const
const shown = { files, fields }

test('imports nothing before the preview of what is shown was asked for', () => {
  const idle = { record: null, busy: false, error: null }
  expect(blockedImport({ ...idle, sent: undefined }, { files: [], fields })).toBe('Add a file first.')
  expect(blockedImport({ ...idle, sent: undefined }, shown)).toMatch('not checked')
  expect(blockedImport({ ...idle, error: new Error('too large'), sent: { files, fields: { ...fields } } }, shown)).toBe(checking)
  expect(blockedImport({ ...idle, error: new Error('too large'), sent: { files: [...files], fields } }, shown)).toBe(checking)
  expect(blockedImport({ ...idle, busy: true, sent: shown }, shown)).toBe(checking)
  expect(blockedImport({ ...idle, error: new Error('too large'), sent: shown }, shown)).toBe(
    'The files were refused. The preview says why.',
  )
})
