import { Checkbox } from '@mantine/core'
import { fileFormats } from '../../contract/catalog/file-formats.ts'
import type { ImportRecord } from '../../contract/catalog/imports.schemas.ts'
import { checkField } from '../ui/forms/fields.ts'
import { unchosenHosts } from './blocked-import.ts'
import type { ImportFormat } from './import-form.ts'

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
  if (!record) return null
  // Until their rows are left out, hosts that were not chosen are errors of the whole import.
  const whole = record.errors.filter(({ line }) => line === null).length
  const isOffered = record.rows.valid > 0 && record.error_count > 0 && whole <= unchosenHosts(record)
  if (!chosen && !isOffered) return null
  const [label, description] = words(format)
  return <Checkbox label={label} description={description} {...checkField(chosen, onChange)} />
}

/** Label and description. */
function words(format: ImportFormat): readonly [string, string] {
  switch (fileFormats[format].holds) {
    case 'tasks':
      return ['Leave out tasks that cannot be imported', 'They are listed by file and line.']
    case 'tests':
      return [
        'Leave out what cannot be imported',
        'Tests keep what can be graded; the rest is listed by line. Assertions that need a judge are left to evaluators.',
      ]
    default:
      return ['Leave out rows that cannot be imported', 'They are listed by line.']
  }
}
