import { randomBytes } from 'node:crypto'
import type { JudgeSpending } from '../../contract/evaluators/calibrations.schemas.ts'
import type { JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Database } from '../../storage/database.ts'
import type { JudgeOwnerKind } from '../../storage/schema/evaluators.ts'
import { chargeForWork, holdForWork, releaseWork } from '../billing/index.ts'
import { startWork } from '../spending/index.ts'
import type { JudgeHold } from './judge-cap.ts'

/** What judge calls are made for. */
export interface JudgeOwner {
  readonly kind: JudgeOwnerKind
  readonly id: string
  readonly workspaceId: string
  /** Who pays. */
  readonly principalId: string
}

export function judgeOwner(
  kind: JudgeOwnerKind,
  { id, workspace_id: workspaceId }: { readonly id: string; readonly workspace_id: string },
  starter: JobOwner,
): JudgeOwner {
  return { kind, id, workspaceId, principalId: starter.kind === 'service' ? '' : starter.id }
}

const workOf = ({ kind, id }: Pick<JudgeOwner, 'kind' | 'id'>) => `${kind}:${id}`

/** Of the area that each kind of work belongs to. */
const scopeOf: Readonly<Record<JudgeOwnerKind, Scope>> = {
  calibration: 'evaluators:write',
  draft: 'evaluators:write',
  occurrence: 'tuning:write',
  regrade: 'runs:write',
  run: 'runs:write',
  search: 'tuning:write',
}

/**
 * Opens what an owner may spend, in the caller's transaction; once more for a retry, with what is left of the limit.
 * @param hold what to set aside in all
 * @param starterId who causes it: a retry may be another's
 * @throws ApiError insufficient_credit, spend_ceiling_reached
 */
export function openBudget(db: Database, owner: JudgeOwner, hold: JudgeHold, now: string, starterId = owner.principalId): void {
  const earlier = budgetOf(db, owner)
  const [charged, billed] = [BigInt(earlier?.charged_microusd ?? 0), BigInt(earlier?.billed_microusd ?? 0)]
  const more = beyond(hold.wallet, charged)
  const moreBilled = hold.provider === null ? null : beyond(hold.provider, billed)
  const { workspaceId, principalId: payerId } = owner
  const work = { workspaceId, scope: scopeOf[owner.kind], spend: { wallet: more, provider: moreBilled }, payerId }
  startWork(db, starterId, work, now, () => {
    const providerHeld = Number(billed + (moreBilled ?? 0n))
    const holds = (earlier?.holds ?? 0) + 1
    holdForWork(db, { workspaceId, work: workOf(owner), amount: more, at: now }, holds)
    if (earlier)
      db.prepare(
        'update judge_budgets set held_microusd = ?, provider_held_microusd = ?, is_open = 1, holds = ? where owner_kind = ? and owner_id = ?',
      ).run(charged + more, providerHeld, holds, owner.kind, owner.id)
    else insertBudget(db, owner, more, providerHeld, holds)
  })
}

function beyond(amount: bigint, spent: bigint): bigint {
  return amount > spent ? amount - spent : 0n
}

/** The boundaries' seed of an owner; made at its first use for a run, whose money is its own. */
export function fenceSeedOf(db: Database, owner: JudgeOwner): string {
  const known = budgetOf(db, owner)
  return known?.fence_seed ?? insertBudget(db, owner, 0n, 0, 0)
}

function insertBudget(
  db: Database,
  { kind, id, workspaceId, principalId }: JudgeOwner,
  held: bigint,
  providerHeld: number,
  holds: number,
): string {
  const seed = randomBytes(32).toString('hex')
  db.run(
    db.sql.insertInto('judge_budgets').values({
      owner_kind: kind,
      owner_id: id,
      workspace_id: workspaceId,
      principal_id: principalId,
      fence_seed: seed,
      held_microusd: Number(held),
      provider_held_microusd: providerHeld,
      holds,
    }),
  )
  return seed
}

/** Gives back what was set aside and not spent. Once; a budget that is closed stays so. */
export function closeBudget(db: Database, owner: Pick<JudgeOwner, 'kind' | 'id' | 'workspaceId'>, now: string): void {
  const row = budgetOf(db, owner)
  if (row?.is_open !== 1) return
  const rest = BigInt(row.held_microusd) - BigInt(row.charged_microusd)
  releaseWork(db, { workspaceId: owner.workspaceId, work: workOf(owner), amount: rest, at: now }, row.holds)
  db.prepare(
    `update judge_budgets set is_open = 0, held_microusd = charged_microusd, provider_held_microusd = billed_microusd
     where owner_kind = ? and owner_id = ?`,
  ).run(owner.kind, owner.id)
}

/** Gives back what texts set aside whose request ended with the process: unlike drafts, nothing continues them. */
export function closeAbandoned(db: Database, now: string): void {
  const abandoned = db.all(
    db.sql
      .selectFrom('judge_budgets')
      .select(['owner_id', 'workspace_id'])
      .where('owner_kind', '=', 'draft')
      .where('is_open', '=', 1)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('evaluator_drafts').select('id').whereRef('evaluator_drafts.id', '=', 'judge_budgets.owner_id'))),
      ),
  )
  for (const { owner_id: id, workspace_id: workspaceId } of abandoned) closeBudget(db, { kind: 'draft', id, workspaceId }, now)
}

/** What a call cost, in the transaction that stores the call. A run keeps its own sums. */
export function spend(
  db: Database,
  owner: JudgeOwner,
  { charged, billed }: { readonly charged: bigint; readonly billed: bigint },
  call: string,
  at: string,
): void {
  if (charged === 0n && billed === 0n) return
  const money = { workspaceId: owner.workspaceId, work: workOf(owner), at }
  if (owner.kind === 'run') {
    chargeForWork(db, { ...money, amount: charged }, call, owner.id)
    db.prepare('update runs set charged_microusd = charged_microusd + ?, billed_microusd = billed_microusd + ? where id = ?').run(
      charged,
      billed,
      owner.id,
    )
    return
  }
  // A call that ends after its work was cancelled is paid from the wallet: what was set aside is given back already.
  const late = budgetOf(db, owner)?.is_open === 0 ? charged : 0n
  if (late > 0n) releaseWork(db, { ...money, amount: -late }, call)
  chargeForWork(db, { ...money, amount: charged }, call)
  db.prepare(
    `update judge_budgets set held_microusd = held_microusd + ?, charged_microusd = charged_microusd + ?, billed_microusd = billed_microusd + ?
     where owner_kind = ? and owner_id = ?`,
  ).run(late, charged, billed, owner.kind, owner.id)
}

/** Micro-USD that the owner has spent, by who is paid. */
export function spentBy(db: Database, owner: Pick<JudgeOwner, 'kind' | 'id'>): { readonly charged: bigint; readonly billed: bigint } {
  const row = budgetOf(db, owner)
  return { charged: BigInt(row?.charged_microusd ?? 0), billed: BigInt(row?.billed_microusd ?? 0) }
}

function budgetOf(db: Database, { kind, id }: Pick<JudgeOwner, 'kind' | 'id'>) {
  return db.first(db.sql.selectFrom('judge_budgets').selectAll().where('owner_kind', '=', kind).where('owner_id', '=', id))
}

interface Sums {
  readonly calls: number
  readonly unknown: number
  readonly input: number | null
  readonly output: number | null
  readonly charged: number | null
  readonly billed: number | null
}

/** All calls of an owner. */
export function spendingOf(db: Database, { kind, id }: Pick<JudgeOwner, 'kind' | 'id'>): JudgeSpending {
  const row = db
    .prepare(
      `select count(*) as calls, count(*) filter (where status = 'unknown') as unknown, sum(input_tokens) as input, sum(output_tokens) as output,
       sum(charged_microusd) as charged, sum(billed_microusd) as billed from judge_calls where owner_kind = ? and owner_id = ?`,
    )
    .get(kind, id) as Sums // an aggregate always has one row
  return {
    calls: row.calls,
    possibly_billed_twice: row.unknown,
    input_tokens: row.input ?? 0,
    output_tokens: row.output ?? 0,
    charged_microusd: String(row.charged ?? 0),
    provider_billed_microusd: String(row.billed ?? 0),
  }
}
