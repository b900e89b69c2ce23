import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { importMachine } from '../../contract/catalog/import.machine.ts'
import type { ImportRecord } from '../../contract/catalog/imports.schemas.ts'
import { isTerminal } from '../../contract/machine.ts'
import { announce } from '../api/announcements.ts'
import { call } from '../api/client.ts'
import { useIdempotencyKey } from '../api/idempotency.ts'
import { notifyFailed } from '../ui/page/notify.ts'
import { upload } from '../api/upload.ts'
import type { ImportFields } from './import-form.ts'

const POLL_MS = 300

/** What is sent, by identity: the form makes another of each when it changes. */
export interface Send {
  readonly fields: ImportFields
  readonly files: readonly File[]
}

export type ImportAttempt = ReturnType<typeof useImport>

/**
 * One import, dry or real: its upload, then its record until it has ended. The last record that ended stays while a newer one is
 * under way, so that the columns one is choosing from do not vanish.
 */
export function useImport(form: 'preview' | 'import') {
  const client = useQueryClient()
  const key = useIdempotencyKey(`catalog.${form}`)
  const running = useRef<AbortController>(null)
  const [share, setShare] = useState(0)
  const [rowsRead, setRowsRead] = useState(0)
  const [fetching, setFetching] = useState<ImportRecord['fetch']>(null)
  const [jobId, setJobId] = useState<string | null>(null)
  const [ended, setEnded] = useState<ImportRecord | null>(null)

  const { mutate, reset, isPending, error, variables } = useMutation({
    mutationFn: async ({ fields, files }: Send) => {
      // Only the newest counts: a preview that a change has overtaken would show the wrong columns.
      running.current?.abort()
      const { signal } = (running.current = new AbortController())
      setShare(0)
      setRowsRead(0)
      setFetching(null)
      setJobId(null)
      let record = await upload('createImport', {
        fields: { ...fields, dry_run: form === 'preview' },
        files,
        headers: key.headersFor({ fields, files: files.map(({ name, size, lastModified }) => [name, size, lastModified]) }),
        signal,
        onProgress: setShare,
      })
      while (!isTerminal(importMachine, record.status)) {
        setRowsRead(record.rows.read)
        setJobId(record.job_id)
        setFetching(record.fetch)
        await new Promise(resolve => setTimeout(resolve, POLL_MS))
        record = await call('getImport', { params: { import_id: record.id } }, { signal })
      }
      return record
    },
    onSuccess: record => {
      key.done()
      setEnded(record)
      if (form === 'import') announce(record.status === 'imported' ? 'Import complete' : 'Import failed')
      if (record.status === 'imported') void client.invalidateQueries()
    },
  })

  const forget = useCallback(() => {
    running.current?.abort()
    reset()
    setEnded(null)
  }, [reset])

  /** Before the service has a job there is only the upload to end. */
  const cancel = useMutation({
    mutationFn: async () => {
      if (jobId === null) return forget()
      await call('cancelJob', { params: { job_id: jobId } })
    },
    onError: reason => notifyFailed('The import was not cancelled', reason),
  })

  return {
    send: mutate,
    cancel: () => cancel.mutate(),
    isCancelling: cancel.isPending,
    forget,
    /** The last record that ended, since `forget`. */
    record: ended,
    busy: isPending,
    /** What was sent last, since `forget`. */
    sent: variables,
    /** Share of the bytes sent, 0 to 1. */
    share,
    rowsRead,
    /** How far the service's own download has got; null for files that are sent. */
    fetching,
    error: error?.name === 'AbortError' ? null : error,
  }
}
