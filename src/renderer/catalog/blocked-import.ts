import type { ImportRecord } from '../../contract/catalog/imports.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import type { ImportFields } from './import-form.ts'

type Errors = Pick<ImportRecord, 'errors' | 'error_count'>

/** What no column of the file is known to hold: it is chosen on the page. */
export function missingColumn({ errors }: Pick<Errors, 'errors'>): 'input' | 'target' | null {
  return errors.find(error => error.missing_column !== undefined)?.missing_column ?? null
}

/** Errors of the file itself: a column that is still to be chosen is none. */
export function fileErrors({ errors, error_count: count }: Errors): Errors {
  const found = errors.filter(error => error.missing_column === undefined)
  return { errors: found, error_count: count - (errors.length - found.length) }
}

export const checking = 'The files are being checked.'

/** What is sent, by identity: the form makes another of each when it changes. */
export interface Sent<Fields> {
  readonly fields: Fields
  readonly files: readonly File[]
}

/** The preview of files. */
export interface Checked<Fields, Seen> {
  /** The last that ended. */
  readonly record: Seen | null
  readonly busy: boolean
  readonly error: Error | null
  /** What was sent last. */
  readonly sent: Sent<Fields> | undefined
}

/**
 * Why the files that are shown cannot be imported; null: they can, since the preview is of them.
 * @param faultOf what their preview says against it
 */
export function blockedFiles<Fields, Seen extends { readonly status: string }>(
  { record, busy, error, sent }: Checked<Fields, Seen>,
  { files, fields }: Sent<Fields>,
  faultOf: (record: Seen) => string | null,
): string | null {
  if (files.length === 0) return 'Add a file first.'
  if (busy) return checking
  // Also for the moment before the first preview is asked for; what stays in view is a check that was cancelled.
  if (!sent) return 'The files were not checked. Remove them and add them again.'
  if (sent.files !== files || sent.fields !== fields) return checking
  if (error) return 'The files were refused. The preview says why.'
  if (!record) return checking
  return faultOf(record) ?? (record.status === 'previewed' ? null : checking)
}

/** Errors that hosts cause which are not to be downloaded from: one each, or one of all where they are too many. */
export function unchosenHosts({ remote_media: hosts, remote_hosts: all }: Pick<ImportRecord, 'remote_media' | 'remote_hosts'>): number {
  return all > hosts.length ? 1 : hosts.filter(({ allowed }) => !allowed).length
}

type Seen = Pick<ImportRecord, 'error_count' | 'errors' | 'remote_media' | 'remote_hosts' | 'status'>

/** `blockedFiles` of files with tasks. */
export function blockedImport(attempt: Checked<ImportFields, Seen>, shown: Sent<ImportFields>): string | null {
  return blockedFiles(attempt, shown, record => {
    const { error_count: errors, errors: named } = record
    const missing = missingColumn(record)
    if (missing === 'input') return 'Choose the column with the question.'
    if (missing === 'target') return 'Choose the column with the answer, or none.'
    if (errors === 0) return null
    if (errors === unchosenHosts(record)) return 'Choose to download the media files, or to leave out their rows.'
    // A field of the wrong kind may be a column that was guessed wrong.
    const wrong = new Set(named.map(({ message }) => /^The field "(.+?)" must be/.exec(message)?.[1]))
    const [field] = wrong
    const column = wrong.size === 1 && field !== undefined ? `, or choose another column than “${field}”` : ''
    return `Fix ${errors === 1 ? 'the error' : `the ${formatCount(errors)} errors`} in the file and add it again${column}.`
  })
}
