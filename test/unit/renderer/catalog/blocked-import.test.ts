import { expect, test } from 'vitest'
import { blockedImport, checking, fileErrors } from '../../../../src/renderer/catalog/blocked-import.ts'

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

test('asks for a column that was not found, and else for another file', () => {
  const refused = (message: string, missing: 'input' | 'target' | null = null) => {
    const errors = [{ file: 'tasks.jsonl', line: 1, message, ...(missing && { missing_column: missing }) }]
    return blockedImport(
      { record: { status: 'failed', error_count: 60, errors, remote_media: [], remote_hosts: 0 }, busy: false, error: null, sent: shown },
      shown,
    )
  }
  expect(refused('Unknown.', 'input')).toBe('Choose the column with the question.')
  expect(refused('Unknown.', 'target')).toBe('Choose the column with the answer, or none.')
  expect(refused('The field "choices" must be a list such as ["one", "two"] but is text.')).toBe(
    'Fix the 60 errors in the file and add it again, or choose another column than “choices”.',
  )
  expect(refused('Line 3 is no JSON.')).toBe('Fix the 60 errors in the file and add it again.')
})

test('shows what is wrong with lines of the file beside a column that is to be chosen', () => {
  const missing = { file: 'tasks.jsonl', line: null, message: 'No column.', missing_column: 'input' as const }
  const broken = { file: 'tasks.jsonl', line: 7, message: 'The line is no JSON.' }
  expect(fileErrors({ errors: [missing, broken], error_count: 130 })).toEqual({ errors: [broken], error_count: 129 })
  expect(fileErrors({ errors: [missing], error_count: 1 })).toEqual({ errors: [], error_count: 0 })
})

test('asks whether media at other addresses are downloaded', () => {
  const record = {
    status: 'failed' as const,
    error_count: 1,
    errors: [{ file: 'tasks.jsonl', line: null, message: '6 media files are at images.example' }],
    remote_media: [{ host: 'images.example', files: 6, allowed: false, fetched: 0 }],
    remote_hosts: 1,
  }
  expect(blockedImport({ record, busy: false, error: null, sent: shown }, shown)).toBe(
    'Choose to download the media files, or to leave out their rows.',
  )
})
