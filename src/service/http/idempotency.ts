import { createHash } from 'node:crypto'
import { ApiError } from '../../contract/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { beginOperation, findOperation, finishOperation, forgetOperation } from './idempotency.store.ts'
import type { AnswerSeal } from './sealed-answers.ts'

export interface Operation {
  readonly principalId: string
  readonly operation: string
  readonly key: string
  readonly body: unknown
  /** How the answer is stored where it holds a secret; otherwise as it is. */
  readonly seal?: AnswerSeal | undefined
}

type Begun =
  | { readonly kind: 'earlier'; readonly earlier: { body_digest: string; body: string | null } }
  | { readonly kind: 'done'; readonly body: string }
  | { readonly kind: 'later'; readonly result: Promise<unknown> }

/**
 * Carries a creating request out once per key; the same key and body later get the stored answer, byte for byte. What answers at once is
 * one transaction with its answer, so that a stop in between neither forgets what was done nor does it twice; what takes longer is
 * remembered as begun first.
 */
export async function withIdempotency(
  kernel: Kernel,
  operation: Operation,
  answer: () => unknown,
): Promise<{ readonly body: string; readonly replayed: boolean }> {
  const { db } = kernel
  const { seal } = operation
  const row = { ...operation, bodyDigest: bodyDigest(operation.body), createdAt: timestamp(kernel.clock) }
  const finish = (result: unknown): string => {
    const body = JSON.stringify(result)
    finishOperation(db, row, seal ? seal.close(body) : body)
    return body
  }
  const begun = db.transaction((): Begun => {
    const earlier = findOperation(db, row)
    if (earlier) return { kind: 'earlier', earlier }
    beginOperation(db, row)
    const result = answer()
    if (!(result instanceof Promise)) return { kind: 'done', body: finish(result) }
    // Should this not be committed, somebody has to hear how it ends.
    result.catch(() => undefined)
    return { kind: 'later', result }
  })
  if (begun.kind === 'earlier') {
    const body = replay(begun.earlier, row.bodyDigest, operation.key)
    return { body: seal ? seal.open(body) : body, replayed: true }
  }
  if (begun.kind === 'done') return { body: begun.body, replayed: false }
  try {
    return { body: finish(await begun.result), replayed: false }
  } catch (error) {
    // A refusal created nothing, so the key stays free for the corrected request.
    forgetOperation(db, row)
    throw error
  }
}

function replay(known: { body_digest: string; body: string | null }, digest: string, key: string): string {
  if (known.body_digest !== digest)
    throw new ApiError(
      'idempotency_mismatch',
      `The Idempotency-Key "${key.slice(0, 60)}" was used before with another body. Use a new key.`,
    )
  if (known.body === null)
    throw new ApiError(
      'idempotency_in_progress',
      'The first request with this Idempotency-Key is still being carried out. Ask again shortly.',
      { headers: { 'retry-after': '1' } },
    )
  return known.body
}

/** Bodies that mean the same have the same digest, whatever the order of their keys. */
export function bodyDigest(body: unknown): string {
  return createHash('sha256').update(canonical(body)).digest('hex')
}

function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? ''
  )
}
