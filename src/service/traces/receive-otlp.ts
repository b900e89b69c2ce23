import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '../../contract/errors.ts'
import { encodeOtlpReply, otlpReply } from '../../engine/importing/traces/otlp-reply.ts'
import type { TraceWorkers } from '../../workers/trace-pool.ts'
import type { RawBody, RawReply } from '../http/handler.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Media } from '../media/index.ts'
import { inParts, storeSpans } from './spans.store.ts'

/** Requests that may wait for a thread. */
const mostWaiting = 16

/** Stores the spans of an OTLP request. */
export async function receiveOtlp(
  { db, ids, clock }: Pick<Kernel, 'db' | 'ids' | 'clock'>,
  { workers, media }: { readonly workers: TraceWorkers; readonly media: Pick<Media, 'recordOfTrace'> },
  workspaceId: string,
  { mediaType, bytes }: RawBody,
): Promise<RawReply> {
  if (workers.waiting() >= mostWaiting)
    throw new ApiError('unavailable', 'Too many trace requests are waiting. Try again.', { headers: { 'retry-after': '1' } })
  const read = await workers.run({ kind: 'otlp', mediaType, bytes })
  if (!read.ok) throw new ApiError(mediaType === 'application/json' ? 'malformed_json' : 'malformed_request', read.message)
  const { rows, rejected, reasons } = read.value
  const scope = {
    workspaceId,
    source: 'otlp',
    project: '',
    integrationId: null,
    readBy: null,
    room: Number.POSITIVE_INFINITY,
    keepFiles: media.recordOfTrace,
  } as const
  // Each part waits for the disk. An exporter that hears nothing sends the request again, and equal spans change nothing.
  for (const part of inParts(rows)) {
    storeSpans(db, scope, part, () => ids.next(), timestamp(clock))
    await nextTurn()
  }
  const reply = otlpReply(rejected, reasons)
  return mediaType === 'application/json'
    ? { contentType: 'application/json; charset=utf-8', body: JSON.stringify(reply) }
    : { contentType: mediaType, body: Buffer.from(encodeOtlpReply(reply)) }
}
