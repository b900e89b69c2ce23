import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import type { AnswerImport, AnswerImportForm } from '../../contract/answers/answers.schemas.ts'
import { importMachine } from '../../contract/catalog/import.machine.ts'
import { isTerminal } from '../../contract/machine.ts'
import { call } from '../api/client.ts'
import { useIdempotencyKey } from '../api/idempotency.ts'
import { upload } from '../api/upload.ts'

const POLL_MS = 300

export type AnswerFields = Omit<AnswerImportForm, 'dry_run'>

interface Send {
  readonly fields: AnswerFields
  readonly files: readonly File[]
}

export type AnswersAttempt = ReturnType<typeof useAnswersImport>

/** One import of outputs, dry or real: its upload, then its record until it has ended. */
export function useAnswersImport(form: 'preview' | 'import') {
  const client = useQueryClient()
  const key = useIdempotencyKey(`answers.${form}`)
  const running = useRef<AbortController>(null)
  const [share, setShare] = useState(0)
  const [current, setCurrent] = useState<AnswerImport | null>(null)

  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: async ({ fields, files }: Send) => {
      // Only the newest counts: a preview that a change has overtaken would show the wrong columns.
      running.current?.abort()
      const { signal } = (running.current = new AbortController())
      setShare(0)
      let record = await upload('importAnswers', {
        fields: { ...fields, dry_run: form === 'preview' },
        files,
        headers: key.headersFor({ fields, files: files.map(({ name, size, lastModified }) => [name, size, lastModified]) }),
        signal,
        onProgress: setShare,
      })
      while (!isTerminal(importMachine, record.status)) {
        if (form === 'import') setCurrent(record)
        await new Promise(resolve => setTimeout(resolve, POLL_MS))
        record = await call('getAnswerImport', { params: { answer_import_id: record.id } }, { signal })
      }
      return record
    },
    onSuccess: record => {
      key.done()
      setCurrent(record)
      if (record.status === 'imported') void client.invalidateQueries()
    },
  })

  const forget = useCallback(() => {
    running.current?.abort()
    reset()
    setCurrent(null)
  }, [reset])

  return {
    send: mutate,
    forget,
    /** The last record, since `forget`. */
    record: current,
    busy: isPending,
    /** Share of the bytes sent, 0 to 1. */
    share,
    error: error?.name === 'AbortError' ? null : error,
  }
}
