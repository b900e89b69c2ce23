import type { Api } from '../../contract/api.ts'
import type { Request } from '../../contract/endpoint.ts'

type ExportQuery = NonNullable<Request<Api['exportDatasetVersion']>['query']>

interface ExportChoice {
  /** Also the end of the file's name. */
  readonly format: string
  readonly title: string
  readonly detail: string
  readonly query: ExportQuery
}

/** In what a version can be saved. @param archives how many zip archives it makes */
export function exportChoices(archives: number): readonly ExportChoice[] {
  return [
    { format: 'jsonl', title: 'JSON Lines', detail: 'One example a line, lossless', query: { format: 'jsonl' } },
    { format: 'json', title: 'JSON', detail: 'One list, lossless', query: { format: 'json' } },
    ...(archives === 1
      ? [{ format: 'zip', title: 'ZIP', detail: 'JSON Lines and the media files that examples name', query: { format: 'zip' } as const }]
      : Array.from({ length: archives }, (_, i) => ({
          format: `part${i + 1}.zip`,
          title: `ZIP, part ${i + 1} of ${archives}`,
          detail: 'Some of the examples with their media files',
          query: { format: 'zip', part: i + 1 } as const,
        }))),
    { format: 'csv', title: 'CSV', detail: 'For spreadsheets; formulas are neutralized', query: { format: 'csv' } },
  ]
}
