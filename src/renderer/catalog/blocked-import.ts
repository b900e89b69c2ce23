import { formatCount } from '../../lib/format/numbers.ts'
import type { ImportAttempt } from './imports.queries.ts'

export const checking = 'The files are being checked.'

/** Why what was previewed cannot be imported; null: it can. */
export function blockedImport({ record, busy, error }: Pick<ImportAttempt, 'record' | 'busy' | 'error'>): string | null {
  if (busy) return checking
  if (error) return 'The files were refused. The preview says why.'
  if (!record) return 'Add a file first.'
  const { error_count: errors } = record
  if (errors > 0) return `Fix ${errors === 1 ? 'the error' : `the ${formatCount(errors)} errors`} in the file and add it again.`
  return record.status === 'previewed' ? null : checking
}
