import { isTableFormat } from '../../contract/catalog/file-formats.ts'
import { DatasetImportForm } from '../../contract/datasets/dataset-imports.schemas.ts'
import { invalidField } from '../../contract/errors.ts'
import { parsePart } from '../http/parse-input.ts'
import type { DatasetRow } from './datasets.store.ts'

/** Reads the form's text fields. Values that are not text are written as JSON. @throws ApiError naming the field that does not fit */
export function parseImportForm(fields: Readonly<Record<string, string>>, dataset: DatasetRow): DatasetImportForm {
  const { mapping, dry_run, ...texts } = fields
  const raw = {
    ...texts,
    ...(mapping === undefined ? {} : { mapping: parseJson(mapping) }),
    ...(dry_run === undefined ? {} : { dry_run: dry_run === 'true' ? true : dry_run === 'false' ? false : dry_run }),
  }
  // The schema that parsed it is the one that the type was inferred from.
  const form = parsePart(DatasetImportForm, raw, 'body') as DatasetImportForm
  if (!isTableFormat(form.format) && form.mapping !== undefined)
    throw invalidField(['body', 'mapping'], `is for tables; the fields of "${form.format}" are known`)
  if (isTableFormat(form.format) && form.mapping === undefined && !form.dry_run)
    throw invalidField(['body', 'mapping'], `is required for "${form.format}": name at least the column with the input`, 'missing')
  const { output, output_a: pair } = form.mapping ?? {}
  if (form.mapping && dataset.task === 'pairwise' && (pair ?? output) === undefined)
    throw invalidField(
      ['body', 'mapping', 'output_a'],
      'is required with output_b: a pairwise dataset compares two outputs; or give output, the column with an object of both',
    )
  if (dataset.task !== 'pairwise' && pair !== undefined)
    throw invalidField(
      ['body', 'mapping', 'output'],
      `must be one column: only pairwise datasets compare two outputs, and this one is "${dataset.task}"`,
    )
  return form
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidField(['body', 'mapping'], 'is not valid JSON')
  }
}
