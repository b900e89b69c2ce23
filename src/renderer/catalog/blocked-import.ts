import { formatCount } from '../../lib/format/numbers.ts'
import type { ImportAttempt, Send } from './imports.queries.ts'

export const checking = 'The files are being checked.'

/** Why what is shown cannot be imported; null: it can, since the preview is of it. */
export function blockedImport(
  { record, busy, error, sent }: Pick<ImportAttempt, 'record' | 'busy' | 'error' | 'sent'>,
  { files, fields }: Send,
): string | null {
  if (files.length === 0) return 'Add a file first.'
  if (busy) return checking
  // Also for the moment before the first preview is asked for; what stays in view is a check that was cancelled.
  if (!sent) return 'The files were not checked. Remove them and add them again.'
  if (sent.files !== files || sent.fields !== fields) return checking
  if (error) return 'The files were refused. The preview says why.'
  if (!record) return checking
  const { error_count: errors } = record
  if (errors > 0) return `Fix ${errors === 1 ? 'the error' : `the ${formatCount(errors)} errors`} in the file and add it again.`
  return record.status === 'previewed' ? null : checking
}
