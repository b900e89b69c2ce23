import type { WorkerBatch } from '../../contract/workers/workers.schemas.ts'

/** Milliseconds for 16 samples of code, several times what the slowest tests may take. */
const gradingMs = 15 * 60_000
/** A call that the endpoint refuses for a parameter is repeated without it, and each request has the endpoint's timeout. */
const requestsPerCall = 4
const callMarginMs = 60_000

/** Work without the id that it gets. */
export type BatchContent = WorkerBatch extends infer Kind ? (Kind extends WorkerBatch ? Omit<Kind, 'batch_id'> : never) : never

/** Milliseconds after which a batch is taken from a worker that has it, however it renews its lease. */
export function longestHoldMs(content: BatchContent): number {
  return content.kind === 'grade' ? gradingMs : requestsPerCall * content.endpoint.timeout_ms + callMarginMs
}
