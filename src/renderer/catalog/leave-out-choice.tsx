import { Checkbox } from '@mantine/core'
import type { ImportRecord } from '../../contract/index.ts'
import type { ImportFormat } from './import-form.ts'

const formats: ReadonlySet<ImportFormat> = new Set(['promptfoo_csv', 'promptfoo_yaml'])

/** Asks whether tests that cannot be imported are left out, where others can. */
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
  return (
    <Checkbox
      label="Leave out tests that cannot be imported"
      description="They are listed by line. Assertions that need a judge are left to evaluators."
      checked={chosen}
      onChange={event => onChange(event.currentTarget.checked)}
    />
  )
}
