import { ApiError, type JobOwner, type TuneQuote, tuneSessionMachine } from '../../contract/index.ts'
import { transition } from '../../storage/transition.ts'
import type { Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Quotes } from '../quotes/index.ts'
import type { Runs } from '../runs/index.ts'
import { sessionStatus } from './approve.ts'
import { groupsOf, insertGroup } from './groups.store.ts'
import { gateOf } from './race-data.ts'
import { shareCap } from './share-cap.ts'
import type { TuneQuotes } from './quotes.ts'
import type { TuneSessions } from './sessions.service.ts'
import { touchSession } from './sessions.store.ts'

export interface StartDependencies {
  readonly sessions: TuneSessions
  readonly quotes: TuneQuotes
  /** Of the arms. */
  readonly plans: Quotes
  readonly runs: Runs
  readonly jobs: Jobs
}

export interface GroupStart {
  readonly workspaceId: string
  readonly sessionId: string
  readonly quoteId: string
  readonly operationKey: string
  /** Who pays: a session or key. */
  readonly principalId: string
  readonly owner: JobOwner
}

/**
 * Starts every arm as a run that waits at the gate of the first look, with its share of the one cap set aside, in one transaction.
 * Answers whether this request started it, or repeats one that did.
 * @throws ApiError illegal_transition, quote_expired, quote_incompatible, insufficient_credit, spend_ceiling_reached,
 * idempotency_mismatch, conflict
 */
export function startGroup(kernel: Kernel, { sessions, quotes, plans, runs, jobs }: StartDependencies, start: GroupStart): boolean {
  const { db, clock, ids } = kernel
  const { workspaceId, sessionId, operationKey, principalId, owner } = start
  return db.transaction(() => {
    const row = sessions.rowOf(workspaceId, sessionId)
    const groups = groupsOf(db, row.no)
    const earlier = groups.find(group => group.operationKey === operationKey)
    if (earlier) {
      if (earlier.quoteId === start.quoteId.toLowerCase()) return false
      throw new ApiError(
        'idempotency_mismatch',
        `The Idempotency-Key started the quote "${earlier.quoteId}" before. Use a new key for another group.`,
      )
    }
    const quote = quotes.read(workspaceId, sessionId, start.quoteId)
    const at = timestamp(clock)
    transition(db, tuneSessionMachine, sessionStatus, row.id, 'start', at)
    requireStartable(quote)
    const caps = shareCaps(quote)
    const arms = quote.arms.map(({ label, quote_id: quoteId }, i) => {
      const name = `${row.name}: ${label}`.slice(0, 200)
      const share = caps[i] ?? { wallet: 0n, provider: null }
      const { run } = runs.submit({
        workspaceId,
        principalId,
        operationKey: null,
        quoteId,
        name,
        caps: share,
        gate: gateOf(quote.looks, 0),
      })
      return { label, runId: run.id }
    })
    const id = ids.next()
    const jobId = jobs.enqueue('tune_race', {
      workspaceId,
      owner,
      input: { group_id: id },
      subject: { type: 'tune_session', id: row.id },
    })
    const number = groups.length + 1
    insertGroup(db, { id, sessionNo: row.no, number, quoteId: quote.id, operationKey, jobId, startedAt: at, arms })
    touchSession(db, row.no, at)
    return true
  })

  function shareCaps({ arms, max_charge_microusd: cap, max_provider_billed_microusd: billed }: TuneQuote) {
    const quoted = arms.map(arm => plans.read(workspaceId, arm.quote_id).cost)
    const wallet = shareCap(
      BigInt(cap),
      quoted.map(cost => BigInt(cost.upper_bound_microusd)),
    )
    const provider =
      billed === null
        ? null
        : shareCap(
            BigInt(billed),
            quoted.map(cost => BigInt(cost.provider_billed_upper_bound_microusd ?? 0)),
          )
    return arms.map((_, i) => ({ wallet: wallet[i] ?? 0n, provider: provider?.[i] ?? null }))
  }
}

function requireStartable({ id, status, expires_at, compatibility, arms }: TuneQuote): void {
  if (status === 'used') throw new ApiError('conflict', `The quote "${id}" was started before. Make a new one.`)
  if (status === 'expired')
    throw new ApiError('quote_expired', `The quote expired at ${expires_at}. Make a new one; the same seed orders the cases the same.`)
  if (compatibility === 'compatible') return
  const failed = arms.flatMap(arm =>
    arm.compatibility.checks.flatMap(check => (check.status === 'fail' ? [`${arm.label}: ${check.detail}`] : [])),
  )
  throw new ApiError('quote_incompatible', `The quote cannot be started. ${failed.join(' ')}`)
}
