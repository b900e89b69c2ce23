import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { importMachine, type ImportRecord, isTerminal } from '../../contract/index.ts'
import { call } from '../api/client.ts'
import { useIdempotencyKey } from '../api/idempotency.ts'
import { upload } from '../api/upload.ts'
import type { ImportFields } from './import-form.ts'

const POLL_MS = 400

interface Send {
  readonly fields: ImportFields
  readonly files: readonly File[]
}

/**
 * One import, dry or real: its upload, then its record until it has ended. While a newer one is under way, the former record stays,
 * so that the columns one is choosing from do not vanish.
 */
export function useImport(form: 'preview' | 'import') {
  const client = useQueryClient()
  const key = useIdempotencyKey(`catalog.${form}`)
  const [share, setShare] = useState(0)
  const [id, setId] = useState<string | null>(null)
  const running = useRef<AbortController>(null)
  const sending = useMutation({
    mutationFn: ({ fields, files }: Send) => {
      // Only the newest counts: a preview that a change has overtaken would show the wrong columns.
      running.current?.abort()
      running.current = new AbortController()
      setShare(0)
      return upload('createImport', {
        fields: { ...fields, dry_run: form === 'preview' },
        files,
        headers: key.headersFor({ fields, files: files.map(({ name, size, lastModified }) => [name, size, lastModified]) }),
        signal: running.current.signal,
        onProgress: setShare,
      })
    },
    onSuccess: record => {
      client.setQueryData(recordKey(record.id), record)
      setId(record.id)
    },
  })
  const record = useQuery({
    queryKey: recordKey(id),
    queryFn: ({ signal }) => call('getImport', { params: { import_id: id ?? '' } }, { signal }),
    enabled: id !== null,
    placeholderData: before => (id === null ? undefined : before),
    refetchInterval: query => (hasEnded(query.state.data) ? false : POLL_MS),
  })
  const ended = hasEnded(record.data) && !record.isPlaceholderData
  const imported = ended && record.data?.status === 'imported'
  const { done } = key
  useEffect(() => {
    if (ended) done()
    if (imported) void client.invalidateQueries({ predicate: query => query.queryKey[1] !== 'import' })
  }, [ended, imported, done, client])

  const { mutate, reset: forget } = sending
  const reset = useCallback(() => {
    running.current?.abort()
    forget()
    setId(null)
  }, [forget])

  return {
    send: mutate,
    reset,
    record: record.data,
    /** Share of the bytes sent, 0 to 1. */
    share,
    uploading: sending.isPending,
    busy: sending.isPending || (id !== null && !ended),
    error: isAbort(sending.error) ? null : (sending.error ?? record.error),
  }
}

function recordKey(id: string | null) {
  return ['catalog', 'import', id]
}

function hasEnded(record: ImportRecord | undefined): boolean {
  return record !== undefined && isTerminal(importMachine, record.status)
}

function isAbort(error: Error | null): boolean {
  return error?.name === 'AbortError'
}
