import { Checkbox } from '@mantine/core'
import type { ImportRecord } from '../../contract/index.ts'
import type { ImportFormat } from './import-form.ts'

const formats: ReadonlySet<ImportFormat> = new Set([
  'promptfoo_csv',
  'promptfoo_yaml',
  'jsonl',
  'json',
  'csv',
  'parquet',
  'inspect_jsonl',
  'openai_evals_jsonl',
])

/** Asks whether rows that cannot be imported are left out, where others can. */
export function LeaveOutChoice({
  format,
  record,
  chosen,
  onChange,
}: {
  readonly format: ImportFormat
  readonly record: ImportRecord | null
  readonly chosen: boolean
  readonly onChange: (chosen: boolean) => void
}) {
  if (!formats.has(format) || !record) return null
  const isOffered = record.rows.valid > 0 && record.error_count > 0 && record.errors.every(({ line }) => line !== null)
  if (!chosen && !isOffered) return null
  const isPromptfoo = format === 'promptfoo_csv' || format === 'promptfoo_yaml'
  return (
    <Checkbox
      label={isPromptfoo ? 'Leave out what cannot be imported' : 'Leave out rows that cannot be imported'}
      description={
        isPromptfoo
          ? 'Tests keep what can be graded; the rest is listed by line. Assertions that need a judge are left to evaluators.'
          : 'They are listed by line.'
      }
      checked={chosen}
      onChange={event => onChange(event.currentTarget.checked)}
    />
  )
}
