import { createHash } from 'node:crypto'
import { ApiError } from '../../contract/errors.ts'
import type { Database } from '../../storage/database.ts'
import type { Principal } from '../auth/index.ts'
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

/** Whose Idempotency-Keys are one person's or one key's. */
export function operatorOf(principal: Principal): string {
  return principal.kind === 'session' ? principal.personId : principal.id
}

/**
 * Carries a creating request out once per key; the same key and body later get the stored answer, byte for byte. What an answer at once,
 * or a commit, made and the answer itself reach the disk together, so that no crash lets the thing be made again.
 */
export async function withIdempotency(
  { db, clock }: Pick<Kernel, 'db' | 'clock'>,
  operation: Operation,
  answer: () => unknown,
): Promise<{ readonly body: string; readonly replayed: boolean }> {
  const row = { ...operation, bodyDigest: bodyDigest(operation.body), createdAt: timestamp(clock) }
  const { seal } = operation
  const finish = (answered: unknown) => {
    const body = JSON.stringify(committed(db, answered))
    finishOperation(db, row, seal ? seal.close(body) : body)
    return { body, replayed: false }
  }
  const begun = db.transaction(() => {
    const known = findOperation(db, row)
    if (known) {
      const body = replay(known, row.bodyDigest, operation.key)
      return { done: { body: seal ? seal.open(body) : body, replayed: true } }
    }
    beginOperation(db, row)
    const answered = answer()
    if (!(answered instanceof Promise)) return { done: finish(answered) }
    // If this is not committed, waiters must still be notified.
    answered.catch(() => undefined)
    return { goesOn: answered }
  })
  if ('done' in begun) return begun.done
  try {
    const prepared = await begun.goesOn
    return db.transaction(() => finish(prepared))
  } catch (error) {
    // A refusal created nothing, so the key stays free for the corrected request; what calls had cost is stored with them.
    forgetOperation(db, row)
    throw error
  }
}

/** The answer of a handler that only prepared a thing and gave back the commit that makes it. */
export function committed(db: Database, prepared: unknown): unknown {
  return isCommit(prepared) ? db.transaction(prepared) : prepared
}

function isCommit(prepared: unknown): prepared is () => unknown {
  return typeof prepared === 'function'
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
      'The first request with this Idempotency-Key is still being processed. Retry in a moment.',
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
