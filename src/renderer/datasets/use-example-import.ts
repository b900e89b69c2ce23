import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { DatasetFormat, DatasetImport, DatasetMapping } from '../../contract/datasets/dataset-imports.schemas.ts'
import { announce } from '../api/announcements.ts'
import { call } from '../api/client.ts'
import { useIdempotencyKey } from '../api/idempotency.ts'
import { upload } from '../api/upload.ts'

const POLL_MS = 300

export interface ExampleUpload {
  readonly file: File
  readonly format: DatasetFormat
  readonly mapping: DatasetMapping | null
}

/** One import, dry or real: its upload, then its record until it has ended. A newer one takes the place of an older. */
export function useExampleImport(datasetId: string, dryRun: boolean) {
  const client = useQueryClient()
  const key = useIdempotencyKey(`dataset-import-${datasetId}-${dryRun ? 'preview' : 'import'}`)
  const running = useRef<AbortController>(null)
  const [share, setShare] = useState(0)
  const { mutate, reset, isPending, error, data, variables } = useMutation({
    mutationFn: async ({ file, format, mapping }: ExampleUpload): Promise<DatasetImport> => {
      running.current?.abort()
      const { signal } = (running.current = new AbortController())
      setShare(0)
      const params = { dataset_id: datasetId }
      let record = await upload('createDatasetImport', {
        params,
        fields: { format, mapping: mapping ?? undefined, dry_run: dryRun },
        files: [file],
        headers: key.headersFor([format, mapping, file.name, file.size, file.lastModified]),
        signal,
        onProgress: setShare,
      })
      while (record.finished_at === null) {
        await new Promise(resolve => setTimeout(resolve, POLL_MS))
        record = await call('getDatasetImport', { params: { ...params, import_id: record.id } }, { signal })
      }
      return record
    },
    onSuccess: record => {
      key.done()
      if (!dryRun) announce(record.status === 'imported' ? 'Import complete' : 'Import failed')
      if (record.status === 'imported') void client.invalidateQueries({ queryKey: ['datasets'] })
    },
  })
  return {
    send: mutate,
    reset,
    busy: isPending,
    sent: variables,
    share,
    record: data ?? null,
    error: error?.name === 'AbortError' ? null : error,
  }
}

export type ExampleImport = ReturnType<typeof useExampleImport>
