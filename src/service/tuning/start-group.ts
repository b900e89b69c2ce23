import { ApiError } from '../../contract/errors.ts'
import type { JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import type { TuneQuote } from '../../contract/tuning/quotes.schemas.ts'
import { tuneSessionMachine } from '../../contract/tuning/session.machine.ts'
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
import type { PromptSearch } from './search-job.ts'
import { searchesOf } from './searches.store.ts'
import { type SessionRow, touchSession } from './sessions.store.ts'

export interface StartDependencies {
  readonly sessions: TuneSessions
  readonly quotes: TuneQuotes
  /** Of the arms. */
  readonly plans: Quotes
  readonly runs: Runs
  readonly jobs: Jobs
  readonly search: Pick<PromptSearch, 'begin'>
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
 * Starts a quote: its prompt search, or else its arms. Answers whether this request started it, or repeats one that did.
 * @throws ApiError illegal_transition, quote_expired, quote_incompatible, insufficient_credit, spend_ceiling_reached,
 * idempotency_mismatch, conflict
 */
export function startQuote(kernel: Kernel, dependencies: StartDependencies, start: GroupStart): boolean {
  const { db, clock } = kernel
  const { sessions, quotes, search } = dependencies
  const { workspaceId, sessionId, operationKey } = start
  return db.transaction(() => {
    const row = sessions.rowOf(workspaceId, sessionId)
    const searched = searchesOf(db, row.no).find(({ operation_key: key }) => key === operationKey)?.quote_id
    const earlier = searched ?? groupsOf(db, row.no).find(group => group.operationKey === operationKey)?.quoteId
    if (earlier !== undefined) {
      if (earlier === start.quoteId.toLowerCase()) return false
      throw new ApiError(
        'idempotency_mismatch',
        `The Idempotency-Key started the quote "${earlier}" before. Use a new key for another group.`,
      )
    }
    const quote = quotes.read(workspaceId, sessionId, start.quoteId)
    const at = timestamp(clock)
    transition(db, tuneSessionMachine, sessionStatus, row.id, 'start', at)
    if (quote.optimize) {
      requireStartable(quote)
      search.begin(row, quote, start)
    } else startArms(kernel, dependencies, row, quote, start)
    touchSession(db, row.no, at)
    return true
  })
}

/** Each arm becomes a run that waits at the gate of the first look, with its share of the one cap set aside. In the caller's transaction. */
export function startArms(
  { db, clock, ids }: Pick<Kernel, 'db' | 'clock' | 'ids'>,
  { plans, runs, jobs }: Pick<StartDependencies, 'plans' | 'runs' | 'jobs'>,
  row: SessionRow,
  quote: TuneQuote,
  { operationKey, principalId, owner }: Pick<GroupStart, 'operationKey' | 'principalId' | 'owner'>,
): void {
  requireStartable(quote)
  const workspaceId = row.workspace_id
  const caps = shareCaps(quote)
  const arms = quote.arms.map(({ label, quote_id: quoteId }, i) => {
    const name = `${row.name}: ${label}`.slice(0, 200)
    const share = caps[i] ?? { wallet: 0n, provider: null }
    const gate = gateOf(quote.looks, 0)
    const { run } = runs.submit({ workspaceId, principalId, scope: 'tuning:write', operationKey: null, quoteId, name, caps: share, gate })
    return { label, runId: run.id }
  })
  const id = ids.next()
  const subject = { type: 'tune_session', id: row.id }
  const jobId = jobs.enqueue('tune_race', { workspaceId, owner, input: { group_id: id }, subject })
  const number = groupsOf(db, row.no).length + 1
  insertGroup(db, { id, sessionNo: row.no, number, quoteId: quote.id, operationKey, jobId, startedAt: timestamp(clock), arms })

  function shareCaps({ arms: quotedArms, max_charge_microusd: cap, max_provider_billed_microusd: billed }: TuneQuote) {
    const quoted = quotedArms.map(arm => plans.read(workspaceId, arm.quote_id).cost)
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
    return quotedArms.map((_, i) => ({ wallet: wallet[i] ?? 0n, provider: provider?.[i] ?? null }))
  }
}

function requireStartable({ id, status, expires_at, compatibility, arms }: TuneQuote): void {
  if (status === 'used') throw new ApiError('illegal_transition', `The quote "${id}" was started before. Make a new one.`)
  if (status === 'expired')
    throw new ApiError('quote_expired', `The quote expired at ${expires_at}. Make a new one; the same seed orders the cases the same.`)
  if (compatibility === 'compatible') return
  const failed = arms.flatMap(arm =>
    arm.compatibility.checks.flatMap(check => (check.status === 'fail' ? [`${arm.label}: ${check.detail}`] : [])),
  )
  throw new ApiError('quote_incompatible', `The quote cannot be started. ${failed.join(' ')}`)
}
