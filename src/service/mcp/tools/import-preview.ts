import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { ImportFormat, ImportRecord } from '../../../contract/catalog/imports.schemas.ts'
import { importMachine } from '../../../contract/catalog/import.machine.ts'
import { isTerminal } from '../../../contract/machine.ts'
import { JsonObject, Name } from '../../../contract/primitives.ts'
import { defineTool } from '../tool.ts'
import { untrusted } from '../untrusted.ts'

/** Milliseconds that a preview may take, and between two looks at it. */
const [patienceMs, pauseMs] = [45_000, 100]

export const importPreview = defineTool({
  name: 'import_preview',
  title: 'Preview an import',
  description: 'Validates the text of a benchmark file without importing it. A person imports it on the page that commit_import names.',
  effect: 'write',
  calls: ['createImport', 'getImport'],
  input: z.strictObject({
    format: ImportFormat.exclude(['parquet']),
    file_name: z.string().min(1).max(200),
    content: z.string().min(1).max(500_000).describe('The file’s text.'),
    name: Name.describe('Title of the benchmark.'),
    mapping: JsonObject.optional().describe(
      'Columns by name where the usual ones do not fit: input, target, choices (one column or several), id, groups, cluster, date, depends_on, answer_key, split {column, tasks, examples}.',
    ),
    include_content: z.boolean().default(false).describe('Also the first rows, and errors that repeat the file’s text.'),
  }),
  page: () => '/catalog/import',
  run: async ({ format, file_name: fileName, content, name, mapping, include_content: includeContent }, context) => {
    const form = new FormData()
    for (const [field, value] of Object.entries({ format, name, dry_run: 'true' })) form.append(field, value)
    if (mapping) form.append('mapping', JSON.stringify(mapping))
    form.append('file', new Blob([content]), fileName)
    const { id } = ImportRecord.parse(JSON.parse(await context.send('/v1/catalog/imports', { form })))
    const end = performance.now() + patienceMs
    for (;;) {
      const record = await context.call('getImport', { params: { import_id: id } })
      if (isTerminal(importMachine, record.status) || performance.now() > end)
        return {
          import_id: id,
          status: record.status,
          rows: record.rows,
          error_count: record.error_count,
          error_lines: record.errors.slice(0, 10).map(({ line }) => line),
          ...untrusted({
            columns: record.columns,
            warnings: record.warnings,
            ...(includeContent ? { rows: record.preview.slice(0, 3), errors: record.errors.slice(0, 10) } : {}),
          }),
          page: context.pageUrl('/catalog/import'),
        }
      await delay(pauseMs, undefined, { signal: context.signal })
    }
  },
})
