import { ServiceError } from '../../contract/client.ts'

/** One submission of one quote. It is written down before it is sent, so that it can be sent again and give the same run. */
export interface Submission {
  readonly key: string
  readonly name: string
  /** The run that it became; null until the answer has arrived. */
  readonly runId: string | null
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export function readSubmission(quoteId: string, store: Store = sessionStorage): Submission | null {
  try {
    const kept: unknown = JSON.parse(store.getItem(place(quoteId)) ?? 'null')
    return isSubmission(kept) ? kept : null
  } catch {
    return null
  }
}

/** The submission that was begun before, or a new one under `name`. The service tells runs apart by quote and key. */
export function beginSubmission(quoteId: string, name: string, store: Store = sessionStorage): Submission {
  const kept = readSubmission(quoteId, store)
  if (kept) return kept
  const fresh = { key: crypto.randomUUID(), name, runId: null }
  store.setItem(place(quoteId), JSON.stringify(fresh))
  return fresh
}

export function finishSubmission(quoteId: string, submission: Submission, runId: string, store: Store = sessionStorage): void {
  store.setItem(place(quoteId), JSON.stringify({ ...submission, runId }))
}

export function forgetSubmission(quoteId: string, store: Store = sessionStorage): void {
  store.removeItem(place(quoteId))
}

/** Codes that refuse the request without saying whether an earlier one with the same key went through. */
const undecided = new Set(['idempotency_in_progress', 'idempotency_mismatch', 'unauthenticated', 'rate_limited'])

/** Whether the service said for certain that this submission made no run: then another name may be tried under a new key. */
export function isRefusal(error: Error): boolean {
  return error instanceof ServiceError && error.status >= 400 && error.status < 500 && !undecided.has(error.code)
}

function place(quoteId: string): string {
  return `assay.submission.${quoteId}`
}

function isSubmission(value: unknown): value is Submission {
  if (typeof value !== 'object' || value === null) return false
  const { key, name, runId }: Partial<Record<keyof Submission, unknown>> = value
  return typeof key === 'string' && typeof name === 'string' && (runId === null || typeof runId === 'string')
}
