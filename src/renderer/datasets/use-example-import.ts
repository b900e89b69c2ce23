import { useQueryClient } from '@tanstack/react-query'
import type { DatasetFormat, DatasetImport, DatasetMapping } from '../../contract/datasets/dataset-imports.schemas.ts'
import { announce } from '../api/announcements.ts'
import { call } from '../api/client.ts'
import { upload } from '../api/upload.ts'
import { filePrints, useUploadedWork } from '../api/uploaded-work.ts'

export interface ExampleUpload {
  readonly file: File
  readonly format: DatasetFormat
  readonly mapping: DatasetMapping | null
}

/** One import, dry or real. */
export function useExampleImport(datasetId: string, dryRun: boolean) {
  const client = useQueryClient()
  const params = { dataset_id: datasetId }
  return useUploadedWork<ExampleUpload, DatasetImport>(`dataset-import-${datasetId}-${dryRun ? 'preview' : 'import'}`, {
    start: ({ file, format, mapping }, { headersFor, ...how }) =>
      upload('createDatasetImport', {
        params,
        fields: { format, mapping: mapping ?? undefined, dry_run: dryRun },
        files: [file],
        headers: headersFor(format, mapping, filePrints([file])),
        ...how,
      }),
    read: ({ id }, signal) => call('getDatasetImport', { params: { ...params, import_id: id } }, { signal }),
    hasEnded: ({ finished_at }) => finished_at !== null,
    onEnd: ({ status }) => {
      if (!dryRun) announce(status === 'imported' ? 'Import complete' : 'Import failed')
      if (status === 'imported') void client.invalidateQueries({ queryKey: ['datasets'] })
    },
  })
}

export type ExampleImport = ReturnType<typeof useExampleImport>
