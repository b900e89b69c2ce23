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
  /** Absent with `hasEnded` where the answer to the upload is the end. */
  readonly read?: (record: Made, signal: AbortSignal) => Promise<Made>
  readonly hasEnded?: (record: Made) => boolean
  readonly onEnd: (record: Made) => void
}

/** An upload, then the record of its work until that has ended. A newer one takes the place of an older. */
export function useUploadedWork<Sent, Made>(
  form: string,
  { start, read = async record => record, hasEnded = () => true, onEnd }: UploadedWork<Sent, Made>,
) {
  const key = useIdempotencyKey(form)
  const running = useRef<AbortController>(null)
  const [share, setShare] = useState(0)
  const [underWay, setUnderWay] = useState<Made | null>(null)
  const [record, setRecord] = useState<Made | null>(null)
  const { mutate, reset, isPending, error, variables, data } = useMutation({
    mutationFn: async (sent: Sent) => {
      // Only the newest counts: a preview that a change has overtaken would show the wrong columns.
      running.current?.abort()
      const { signal } = (running.current = new AbortController())
      setShare(0)
      setUnderWay(null)
      let made = await start(sent, { headersFor: (...content) => key.headersFor(content), signal, onProgress: setShare })
      while (!hasEnded(made)) {
        signal.throwIfAborted()
        setUnderWay(made)
        await new Promise(resolve => setTimeout(resolve, POLL_MS))
        made = await read(made, signal)
      }
      return made
    },
    onSuccess: made => {
      key.done()
      setUnderWay(null)
      setRecord(made)
      onEnd(made)
    },
  })
  const forget = useCallback(() => {
    running.current?.abort()
    reset()
    setUnderWay(null)
    setRecord(null)
  }, [reset])
  return {
    send: mutate,
    /** Also ends what is under way here. */
    forget,
    /** The newest record of what was sent last and has not ended; it stays where it could not be read again. */
    underWay,
    /** The last one that ended, since `forget`; it stays while a newer one is under way. */
    record,
    /** The one of what was sent last; null until it has ended. */
    latest: data ?? null,
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
