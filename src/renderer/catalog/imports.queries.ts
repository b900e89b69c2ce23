import { useMutation, useQueryClient } from '@tanstack/react-query'
import { importMachine } from '../../contract/catalog/import.machine.ts'
import type { ImportRecord } from '../../contract/catalog/imports.schemas.ts'
import { isTerminal } from '../../contract/machine.ts'
import { announce } from '../api/announcements.ts'
import { call } from '../api/client.ts'
import { upload } from '../api/upload.ts'
import { filePrints, useUploadedWork } from '../api/uploaded-work.ts'
import { notifyFailed } from '../ui/page/notify.ts'
import type { Sent } from './blocked-import.ts'
import type { ImportFields } from './import-form.ts'

export type ImportAttempt = ReturnType<typeof useImport>

/** One import, dry or real. The last record that ended stays, so that the columns one is choosing from do not vanish. */
export function useImport(form: 'preview' | 'import') {
  const client = useQueryClient()
  const { forget, underWay, ...work } = useUploadedWork<Sent<ImportFields>, ImportRecord>(`catalog.${form}`, {
    start: ({ fields, files }, { headersFor, ...how }) =>
      upload('createImport', {
        fields: { ...fields, dry_run: form === 'preview' },
        files,
        headers: headersFor(fields, filePrints(files)),
        ...how,
      }),
    read: ({ id }, signal) => call('getImport', { params: { import_id: id } }, { signal }),
    hasEnded: ({ status }) => isTerminal(importMachine, status),
    onEnd: ({ status }) => {
      if (form === 'import') announce(status === 'imported' ? 'Import complete' : 'Import failed')
      if (status === 'imported') void client.invalidateQueries()
    },
  })
  const jobId = underWay?.job_id ?? null
  /** Before the service has a job there is only the upload to end. */
  const cancel = useMutation({
    mutationFn: async () => {
      if (jobId === null) return forget()
      await call('cancelJob', { params: { job_id: jobId } })
    },
    onError: reason => notifyFailed('The import was not cancelled', reason),
  })
  return {
    ...work,
    forget,
    cancel: () => cancel.mutate(),
    isCancelling: cancel.isPending,
    rowsRead: underWay?.rows.read ?? 0,
    /** How far the service's own download has got; null for files that are sent. */
    fetching: underWay?.fetch ?? null,
  }
}
