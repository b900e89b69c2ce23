import { useMutation } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { useIdempotencyKey } from './idempotency.ts'
import type { Upload } from './upload.ts'

const POLL_MS = 300

interface UploadedWork<Sent, Made> {
  /** Sends the form. What `content` names decides the `Idempotency-Key`. */
  readonly start: (
    sent: Sent,
    how: Pick<Upload, 'signal' | 'onProgress'> & { headersFor(...content: readonly unknown[]): NonNullable<Upload['headers']> },
  ) => Promise<Made>
  readonly read: (record: Made, signal: AbortSignal) => Promise<Made>
  readonly hasEnded: (record: Made) => boolean
  /** Each record that has not ended. */
  readonly follow?: (record: Made) => void
  readonly onEnd: (record: Made) => void
}

/** An upload, then the record of its work until that has ended. A newer one takes the place of an older. */
export function useUploadedWork<Sent, Made>(form: string, { start, read, hasEnded, follow, onEnd }: UploadedWork<Sent, Made>) {
  const key = useIdempotencyKey(form)
  const running = useRef<AbortController>(null)
  const [share, setShare] = useState(0)
  const [record, setRecord] = useState<Made | null>(null)
  const { mutate, reset, isPending, error, variables } = useMutation({
    mutationFn: async (sent: Sent) => {
      running.current?.abort()
      const { signal } = (running.current = new AbortController())
      setShare(0)
      let made = await start(sent, { headersFor: (...content) => key.headersFor(content), signal, onProgress: setShare })
      while (!hasEnded(made)) {
        follow?.(made)
        await new Promise(resolve => setTimeout(resolve, POLL_MS))
        made = await read(made, signal)
      }
      return made
    },
    onSuccess: made => {
      key.done()
      setRecord(made)
      onEnd(made)
    },
  })
  const forget = useCallback(() => {
    running.current?.abort()
    reset()
    setRecord(null)
  }, [reset])
  return {
    send: mutate,
    forget,
    /** The last one that ended, since `forget`; it stays while a newer one is under way. */
    record,
    busy: isPending,
    /** What was sent last, since `forget`. */
    sent: variables,
    /** Share of the bytes sent, 0 to 1. */
    share,
    error: error?.name === 'AbortError' ? null : error,
  }
}

/** What tells files apart without reading them. */
export const filePrints = (files: readonly File[]) => files.map(({ name, size, lastModified }) => [name, size, lastModified])
