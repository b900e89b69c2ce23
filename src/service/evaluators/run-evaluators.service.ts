import type { Metric } from '../../contract/catalog/benchmarks.schemas.ts'
import { ApiError, invalidField, notFound } from '../../contract/errors.ts'
import type { RegradeQuote } from '../../contract/runs/runs.schemas.ts'
import type { UserModel } from '../../contract/worlds/worlds.schemas.ts'
import { evaluatorScorer } from '../../engine/execution/scheduler/ports.ts'
import { createSpendCap } from '../../engine/execution/scheduler/spend-cap.ts'
import type { ProfileDefinition } from '../../engine/tasks/definition.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { describeEvaluator, evaluatorMetric, evaluatorOptions } from './evaluator-metrics.ts'
import { asksModels, evaluatorsIn } from './evaluator-tree.ts'
import type { EvaluatorRecords } from './evaluators.service.ts'
import { judgeFamilies, sameFamilyCaution } from './judge-families.ts'
import { createRunGraders, evaluatorVersionOf } from './grade-runs.ts'
import { closeBudget, type JudgeOwner, openBudget, spentBy } from './judge-budgets.store.ts'
import { forgetOpenCalls, storedAnswers } from './judge-calls.store.ts'
import { holdUnder, readyJudges } from './judge-cap.ts'
import { type EvaluationDependencies, openEvaluation } from './open-evaluation.ts'
import { type JudgeFacts, modelFacts, writerFacts } from './open-judges.ts'
import { type JudgeCost, type JudgedSize, priceJudges, priceUser } from './price-judges.ts'
import { createRunUsers } from './play-users.ts'
import { findRegradeQuote, insertRegradeQuote, markRegradeQuoteUsed } from './regrade-quotes.store.ts'

const quoteLifetimeMs = 30 * 60_000

/** Evaluators in quotes, runs and regrades. */
export function createRunEvaluators(kernel: Kernel, dependencies: EvaluationDependencies & { readonly records: EvaluatorRecords }) {
  const { db, clock, ids } = kernel
  const { records, connections } = dependencies

  const found = (workspaceId: string, id: string, loc: readonly (string | number)[]) => {
    const snapshot = records.find(workspaceId, id)
    if (!snapshot) throw invalidField(loc, `there is no evaluator version "${id}" in this workspace`)
    return { snapshot, tree: records.tree(workspaceId, snapshot.id) }
  }
  const total = (costs: readonly JudgeCost[], of: (cost: JudgeCost) => bigint | null): bigint | null =>
    costs.reduce<bigint | null>((sum, cost) => {
      const one = of(cost)
      return sum === null || one === null ? null : sum + one
    }, 0n)

  return {
    graders: createRunGraders(kernel, dependencies),
    /** Simulated users of worlds. */
    users: createRunUsers(kernel, dependencies),

    /** Metrics that evaluators add to a profile that a model answers. @throws ApiError validation_error for an unknown version or a pairwise judge */
    metrics: (
      workspaceId: string,
      versionIds: readonly string[],
      taken: readonly string[],
      judgedModel: string,
      loc: readonly (string | number)[],
    ): Metric[] => {
      const metrics: Metric[] = []
      for (const [i, id] of versionIds.entries()) {
        const { snapshot, tree } = found(workspaceId, id, [...loc, i])
        if (snapshot.definition.kind === 'model_graded' && snapshot.definition.mode === 'pairwise')
          throw invalidField([...loc, i], `the evaluator "${snapshot.name}" compares two outputs; a run has one for each task`)
        const caution = sameFamilyCaution(judgeFamilies(connections, workspaceId, tree), judgedModel)
        metrics.push(evaluatorMetric(db, snapshot, tree, [...taken, ...metrics.map(metric => metric.id)], caution))
      }
      return metrics
    },

    /** A profile's own metric, with what its evaluator's calibration says now where an evaluator gives it. */
    ofProfile: (workspaceId: string, metric: Metric, judgedModel: string): Metric => {
      if (metric.scorer !== evaluatorScorer) return metric
      const { snapshot, tree } = found(workspaceId, evaluatorVersionOf(metric), ['body', 'selection'])
      const caution = sameFamilyCaution(judgeFamilies(connections, workspaceId, tree), judgedModel)
      return { ...metric, options: evaluatorOptions(snapshot, tree), evaluator: describeEvaluator(db, snapshot, tree, caution) }
    },

    /** The options that scores of now are compared by. */
    options: (workspaceId: string, versionId: string): Metric['options'] => {
      const { snapshot, tree } = found(workspaceId, versionId, ['body', 'evaluator_version_id'])
      return evaluatorOptions(snapshot, tree)
    },

    /** @throws ApiError validation_error that names the field of an unknown version */
    requireKnown: (workspaceId: string, versionIds: readonly string[], loc: readonly (string | number)[]): void => {
      for (const [i, id] of versionIds.entries()) found(workspaceId, id, [...loc, i])
    },

    /** What judging a run by these evaluators would take. */
    price: (workspaceId: string, versionIds: readonly string[], size: JudgedSize): JudgeCost[] =>
      versionIds.flatMap(id => priceJudges(connections, workspaceId, found(workspaceId, id, ['body']).tree, size)),

    /** Models that grade the answers to profiles and play their users, whether they can be called now or not. Unknown evaluators have none. */
    models: (
      workspaceId: string,
      profiles: readonly Pick<ProfileDefinition, 'metrics' | 'environment'>[],
      chosen: readonly string[],
    ): JudgeFacts[] => {
      const own = profiles.flatMap(({ metrics }) => metrics.filter(({ scorer }) => scorer === evaluatorScorer).map(evaluatorVersionOf))
      const versions = [...new Set([...own, ...chosen.map(id => id.toLowerCase())])].filter(id => records.find(workspaceId, id))
      const judges = versions.flatMap(id => evaluatorsIn(records.tree(workspaceId, id)))
      const users = profiles.flatMap(({ environment }) => environment?.world?.user_model ?? [])
      return [
        ...judges.flatMap(({ definition }) => modelFacts(connections, workspaceId, definition, ['body'])),
        ...users.map(user => writerFacts(connections, workspaceId, user, ['body'])),
      ]
    },

    /** What the simulated users of a profile would take. */
    priceUser: (workspaceId: string, model: UserModel, size: JudgedSize): JudgeCost => priceUser(connections, workspaceId, model, size),

    /** The metric as its evaluator's calibration describes it now. */
    refreshed: (workspaceId: string, metric: Metric): Metric => {
      if (!metric.evaluator) return metric
      const snapshot = records.find(workspaceId, metric.evaluator.evaluator_version_id)
      if (!snapshot) return metric
      const tree = records.tree(workspaceId, snapshot.id)
      return { ...metric, evaluator: describeEvaluator(db, snapshot, tree, metric.evaluator.self_preference) }
    },

    quoteRegrade: (
      workspaceId: string,
      run: { readonly no: number; readonly id: string },
      versionId: string,
      size: JudgedSize,
      maxCharge: string,
    ): RegradeQuote => {
      const { snapshot, tree } = found(workspaceId, versionId, ['body', 'evaluator_version_id'])
      readyJudges(connections, workspaceId, tree)
      const costs = priceJudges(connections, workspaceId, tree, size)
      const now = clock.now()
      const amount = (value: bigint | null) => (value === null ? null : String(value))
      const quote: RegradeQuote = {
        id: ids.next(),
        run_id: run.id,
        evaluator_version_id: snapshot.id,
        outputs: size.outputs,
        judge_calls: costs.reduce((sum, { calls }) => sum + calls, 0),
        estimated_microusd: amount(total(costs, ({ estimated }) => estimated)),
        upper_bound_microusd: amount(total(costs, ({ upperBound }) => upperBound)),
        max_charge_microusd: maxCharge,
        created_at: now.toISOString(),
        expires_at: new Date(now.getTime() + quoteLifetimeMs).toISOString(),
      }
      insertRegradeQuote(db, workspaceId, run.no, quote)
      return quote
    },

    /**
     * Opens what a regrade may spend, in the caller's transaction. Answers the limit; null without judges.
     * @throws ApiError validation_error without a quote for a judge, quote_expired
     */
    beginRegrade: (owner: JudgeOwner, runNo: number, versionId: string, quoteId: string | undefined): string | null => {
      const { tree } = found(owner.workspaceId, versionId, ['body', 'evaluator_version_id'])
      if (!asksModels(tree)) return null
      if (quoteId === undefined)
        throw invalidField(
          ['body', 'regrade_quote_id'],
          'is required: this evaluator calls models. Make one with POST /v1/runs/{run_id}/regrade-quotes',
          'missing',
        )
      const quoted = findRegradeQuote(db, owner.workspaceId, runNo, quoteId)
      if (!quoted || quoted.quote.evaluator_version_id !== versionId.toLowerCase()) throw notFound('regrade quote', quoteId)
      if (quoted.used) throw new ApiError('illegal_transition', `The regrade quote "${quoteId}" was used already. Make a new one.`)
      if (timestamp(clock) >= quoted.quote.expires_at)
        throw new ApiError('quote_expired', `The regrade quote expired at ${quoted.quote.expires_at}. Make a new one.`)
      const cap = BigInt(quoted.quote.max_charge_microusd)
      openBudget(db, owner, holdUnder(readyJudges(connections, owner.workspaceId, tree), cap), timestamp(clock))
      markRegradeQuoteUsed(db, quoteId, timestamp(clock))
      return quoted.quote.max_charge_microusd
    },
    /** After a failure, with what is left of its limit. */
    reopenRegrade: (owner: JudgeOwner, versionId: string, cap: string | null, starterId: string): void => {
      if (cap === null) return
      const { tree } = found(owner.workspaceId, versionId, ['body', 'evaluator_version_id'])
      openBudget(db, owner, holdUnder(readyJudges(connections, owner.workspaceId, tree), BigInt(cap)), timestamp(clock), starterId)
    },
    endRegrade: (owner: JudgeOwner): void => {
      forgetOpenCalls(db, owner)
      closeBudget(db, owner, timestamp(clock))
    },
    /** How many answers of judges are stored. */
    storedAnswers: (owner: JudgeOwner): number => storedAnswers(db, owner),
    openRegrade: async (owner: JudgeOwner, versionId: string, cap: string | null, signal: AbortSignal) => {
      forgetOpenCalls(db, owner)
      const { charged, billed } = spentBy(db, owner)
      const spending = cap === null ? null : createSpendCap(BigInt(cap), charged + billed)
      const { tree } = found(owner.workspaceId, versionId, ['body', 'evaluator_version_id'])
      return openEvaluation(kernel, dependencies, tree, { owner, spendingOf: () => spending, signal })
    },
  }
}
