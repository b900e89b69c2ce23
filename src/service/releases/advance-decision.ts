import { ApiError } from '../../contract/errors.ts'
import { illegalTransition, isTerminal } from '../../contract/machine.ts'
import { decisionMachine } from '../../contract/releases/decision.machine.ts'
import type { MissingItem } from '../../contract/releases/decisions.schemas.ts'
import type { ReleasePolicy } from '../../contract/releases/policies.schemas.ts'
import type { ReleaseSuite } from '../../contract/releases/suites.schemas.ts'
import type { TaskSelection } from '../../contract/suites/suites.schemas.ts'
import { spentAlpha } from '../../lib/fewest-tasks.ts'
import { transition } from '../../storage/transition.ts'
import type { Evaluations } from '../evaluations/index.ts'
import type { Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Runs } from '../runs/index.ts'
import { startWork, sumOf } from '../spending/index.ts'
import {
  type EvaluationOfDecision,
  evaluationsOf,
  freezeResult,
  planEvaluation,
  type Purpose,
  setEvaluation,
} from './decision-evaluations.store.ts'
import { missingCalibration, missingLabels, missingOf, outcomeOf } from './decision-missing.ts'
import { isCreated, isSame, neededEvaluations, operationKey, tasksOf } from './decision-needs.ts'
import { changeDecision, countAttempts, type DecisionRow, type Payer } from './decisions.store.ts'
import { countLabeledSamples, labelsOfDecision } from './labels.store.ts'
import { modelChoiceOf } from './ports.ts'

export interface AdvanceDependencies {
  readonly evaluations: Evaluations
  readonly runs: Runs
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly suiteOf: (decision: DecisionRow) => ReleaseSuite
  readonly policyOf: (decision: DecisionRow) => ReleasePolicy
  readonly read: (workspaceId: string, id: string) => DecisionRow
  /** Closes a decision with its record, in the caller's transaction. */
  readonly close: (decision: DecisionRow, event: 'approve' | 'reject' | 'conclude') => void
}

const at = { table: 'release_decisions', column: 'status' } as const

/** Errors of money, which leave the decision as it is and name what it needs. */
const creditCodes = ['insufficient_credit', 'spend_ceiling_reached']

const isOpen = ({ status }: Pick<DecisionRow, 'status'>): boolean => status === 'draft' || status === 'collecting'

/** Takes a decision as far as it can go now. Idempotent, also after a kill. */
export function createAdvance(
  { db, clock }: Pick<Kernel, 'db' | 'clock'>,
  { evaluations, runs, jobs, suiteOf, policyOf, read, close }: AdvanceDependencies,
) {
  const runOf = (decision: DecisionRow, evaluationId: string) =>
    runs.read(decision.workspaceId, evaluations.runOf(decision.workspaceId, evaluationId) ?? '')
  /** Micro-USD that the decision's own evaluations have charged or may still charge. */
  const committed = (decision: DecisionRow, list: readonly EvaluationOfDecision[]): bigint =>
    list.reduce((sum, evaluation) => {
      if (evaluation.adopted) return sum
      if (!isCreated(evaluation)) return sum + evaluation.maxCharge
      return sum + runs.committed(decision.workspaceId, runOf(decision, evaluation.evaluationId).id)
    }, 0n)

  /** Counts this attempt once, fixes its α and notes who pays from here. */
  const begin = (decision: DecisionRow, payer: Payer): void =>
    db.transaction(() => {
      changeDecision(db, decision.no, { payer })
      if (read(decision.workspaceId, decision.id).attempt !== null) return
      const attempt = countAttempts(db, decision.lineage) + 1
      const { repeat } = policyOf(decision)
      if (repeat === 'refuse' && attempt > 1)
        throw new ApiError(
          'conflict',
          `This candidate was tested ${attempt - 1} times before against the same baseline, suite and policy, which refuses repeats. Change what is released, or use another policy.`,
        )
      const { alpha } = decision.plan
      changeDecision(db, decision.no, { attempt, alpha: repeat === 'spend' ? spentAlpha(alpha, attempt) : alpha })
    })

  /** The attempt, the plan of the evaluation and the evaluation itself are stored together, or none of them. */
  const create = async (decision: DecisionRow, suite: ReleaseSuite, need: Purpose, payer: Payer): Promise<boolean> => {
    const list = evaluationsOf(db, decision.no)
    const planned = list.find(other => isSame(other, need))
    if (planned && isCreated(planned)) return false
    const left = BigInt(decision.plan.max_charge_microusd) - committed(decision, list)
    const maxCharge = planned?.maxCharge ?? (left > 0n ? left : 0n)
    const side = decision.plan[need.side]
    const model = side && modelChoiceOf(side, decision.plan.models[need.side])
    if (!side || !model)
      throw new ApiError(
        'conflict',
        `The ${need.side} "${side?.label}" cannot be run again: its answers were imported. Cancel the decision.`,
      )
    const profiles = decision.plan.profiles.filter(({ group }) => group === need.group).map(profile => profile.profile_id)
    const confirms = need.purpose === 'confirm'
    const confirmEpochs = Math.max(
      1,
      ...policyOf(decision).rules.map(rule => (rule.kind === 'no_critical_regression' ? rule.confirm_epochs : 0)),
    )
    const { execution } = decision.plan
    const stored = (evaluationId: string): void => {
      const { status } = read(decision.workspaceId, decision.id)
      if (!isOpen({ status })) throw illegalTransition('decision', decision.id, status, 'advance')
      begin(decision, payer)
      planEvaluation(db, decision.no, need, maxCharge)
      const found = evaluationsOf(db, decision.no).find(other => isSame(other, need))
      if (found) setEvaluation(db, found.no, evaluationId)
    }
    const { evaluation, isNew } = await evaluations.create({
      workspaceId: decision.workspaceId,
      principalId: payer.principalId,
      scope: 'releases:write',
      operationKey: operationKey(decision.id, need),
      stored,
      body: {
        name: `${decision.name}: ${side.label}, ${need.group}${confirms ? ', confirmation' : ''}`.slice(0, 200),
        model,
        task_selections: tasksOf(decision, suite, need).map(({ version_digest: _, ...selection }): TaskSelection => selection),
        profile_ids: profiles,
        max_charge_microusd: String(maxCharge),
        execution: confirms ? { ...execution, epochs: confirmEpochs, cache: false } : execution,
      },
    })
    // Another advance made it meanwhile, or a former version did and was ended before it linked it.
    if (!isNew && !isMade(decision, need)) db.transaction(() => stored(evaluation.id))
    return isNew
  }
  const isMade = ({ no }: DecisionRow, need: Purpose): boolean =>
    evaluationsOf(db, no).some(other => isSame(other, need) && isCreated(other))

  /** Creates what is missing, one after the other, so that each cap is what those before have left. */
  const createMissing = async (decision: DecisionRow, payer: Payer, did: string[]): Promise<MissingItem[]> => {
    const suite = suiteOf(decision)
    for (const need of neededEvaluations(decision, suite)) {
      if (isMade(decision, need)) continue
      try {
        if (await create(decision, suite, need, payer)) did.push(`Started the ${need.side} on "${need.group}"`)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        // While it was quoted, another advance made it, with a cap of its own, or the decision was cancelled.
        if (isMade(decision, need)) continue
        if (!isOpen(read(decision.workspaceId, decision.id))) return []
        if (!creditCodes.includes(error.code)) throw error
        return [{ code: 'credit', message: error.message, action: { method: 'POST', path: '/v1/billing/purchases' } }]
      }
    }
    return []
  }

  /** Before anything is stored: whoever may spend nothing at all. What an evaluation can cost at most is for its run. */
  const requireSpender = (decision: DecisionRow, principalId: string): void => {
    if (!isOpen(decision)) return
    const { workspaceId, plan } = decision
    const created = evaluationsOf(db, decision.no).filter(isCreated)
    const missing = neededEvaluations(decision, suiteOf(decision)).filter(need => !created.some(other => isSame(other, need)))
    const models = [...new Set(missing.map(({ side }) => side))].flatMap(side => {
      const asked = plan[side]
      return (asked && modelChoiceOf(asked, plan.models[side])) ?? []
    })
    const groups = new Set(missing.map(({ group }) => group))
    const profileIds = plan.profiles.filter(({ group }) => groups.has(group)).map(profile => profile.profile_id)
    const spend =
      models.length === 0 ? sumOf([]) : evaluations.least(workspaceId, { models, profileIds, evaluators: plan.execution.evaluators })
    startWork(db, principalId, { workspaceId, scope: 'releases:write', spend }, timestamp(clock), () => {})
  }

  const stopEvaluations = (decision: DecisionRow): void => {
    for (const evaluation of evaluationsOf(db, decision.no)) {
      if (evaluation.adopted || !isCreated(evaluation)) continue
      const { status } = runOf(decision, evaluation.evaluationId)
      if (status === 'queued' || status === 'running') evaluations.cancel(decision.workspaceId, evaluation.evaluationId)
    }
  }

  /** What the decision waits for, without doing anything. */
  const missing = (decision: DecisionRow): MissingItem[] => {
    if (!isOpen(decision)) return []
    const list = evaluationsOf(db, decision.no)
    const policy = policyOf(decision)
    const waiting = list.flatMap(evaluation => {
      if (!isCreated(evaluation)) return []
      const what = `The evaluation of the ${evaluation.side} on "${evaluation.group}"`
      const item = missingOf(runOf(decision, evaluation.evaluationId), evaluation.evaluationId, what)
      return item ? [item] : []
    })
    return [
      ...waiting,
      ...missingLabels(policy, decision, candidateLabels(decision, list), candidateRuns(decision, list)[0] ?? null),
      ...missingCalibration(policy, decision),
    ]
  }
  /** The candidate's samples that people have labeled, by group. */
  const candidateLabels = (decision: DecisionRow, list: readonly EvaluationOfDecision[]): Map<string, number> =>
    new Map(
      [...Map.groupBy(list, ({ group }) => group)].map(([group, of]) => [
        group,
        countLabeledSamples(db, decision.workspaceId, candidateRuns(decision, of)),
      ]),
    )
  const candidateRuns = (decision: DecisionRow, list: readonly EvaluationOfDecision[]): string[] =>
    list.filter(isCreated).flatMap(({ side, purpose, evaluationId }) => {
      const run = side === 'candidate' && purpose === 'main' ? evaluations.runOf(decision.workspaceId, evaluationId) : null
      return run === null ? [] : [run]
    })

  /** Fixes what is read and queues the analysis, together. */
  const analyze = (decision: DecisionRow, { owner }: Payer): boolean =>
    db.transaction(() => {
      const present = read(decision.workspaceId, decision.id)
      if (present.status !== 'collecting' || present.look !== decision.look) return false
      for (const evaluation of evaluationsOf(db, decision.no).filter(isCreated)) {
        const run = runOf(decision, evaluation.evaluationId)
        const results = runs.results(decision.workspaceId, run.id, undefined)
        if (evaluation.resultVersion === null)
          freezeResult(db, evaluation.no, results.result_version, results.reproducibility.samples_digest)
      }
      transition(db, decisionMachine, at, decision.id, 'analyze', timestamp(clock))
      const jobId = jobs.enqueue('release_analysis', {
        workspaceId: decision.workspaceId,
        owner,
        input: { workspace_id: decision.workspaceId, decision_id: decision.id },
        subject: { type: 'release_decision', id: decision.id },
      })
      changeDecision(db, decision.no, { jobId })
      return true
    })

  const closeByPeople = (decision: DecisionRow): boolean =>
    db.transaction(() => {
      if (read(decision.workspaceId, decision.id).status !== 'awaiting_human') return false
      const outcome = outcomeOf(policyOf(decision).human.approvals, labelsOfDecision(db, decision.workspaceId, decision.id))
      if (outcome === null) return false
      close(decision, outcome === 'approve' ? 'approve' : outcome === 'reject' ? 'reject' : 'conclude')
      return true
    })

  return {
    committed,
    missing,
    requireSpender,
    stopEvaluations,
    candidateRuns,
    advance: async (workspaceId: string, id: string, payer: Payer): Promise<{ did: string[]; missing: MissingItem[] }> => {
      const decision = read(workspaceId, id)
      const did: string[] = []
      if (isTerminal(decisionMachine, decision.status)) throw illegalTransition('decision', decision.id, decision.status, 'advance')
      if (decision.status === 'awaiting_human') {
        if (closeByPeople(decision)) did.push('Closed by the verdicts of people')
        return { did, missing: [] }
      }
      if (decision.status === 'analyzing') return { did, missing: [] }
      const credit = await createMissing(decision, payer, did)
      const present = read(workspaceId, id)
      if (!isOpen(present)) return { did, missing: [] }
      // Credit that is missing for the first evaluation makes no attempt.
      if (credit.length === 0) begin(decision, payer)
      if (present.status === 'draft' && (did.length > 0 || credit.length === 0)) {
        db.transaction(() => {
          if (read(workspaceId, id).status === 'draft') transition(db, decisionMachine, at, decision.id, 'collect', timestamp(clock))
        })
        if (did.length === 0) did.push('Adopted evaluations')
      }
      if (credit.length > 0) return { did, missing: credit }
      const collecting = read(workspaceId, id)
      const waits = missing(collecting).filter(({ code }) => code !== 'calibration')
      if (collecting.status === 'collecting' && waits.length === 0 && analyze(collecting, payer)) did.push('Started the analysis')
      return { did, missing: [] }
    },
  }
}

export type Advance = ReturnType<typeof createAdvance>
