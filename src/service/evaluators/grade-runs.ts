import { z } from 'zod'
import { JudgeUnavailableError } from '../../engine/execution/judging/judge-caller.ts'
import {
  evaluatorScorer,
  type GradedInput,
  type GradedRun,
  type MetricPlan,
  type ScoreBatch,
} from '../../engine/execution/scheduler/ports.ts'
import { createSpendCap, type SpendCap } from '../../engine/execution/scheduler/spend-cap.ts'
import type { Score } from '../../engine/grading/scorers/scorer.ts'
import { lost, silent, unscored } from '../../engine/grading/scorers/verdict.ts'
import type { Kernel } from '../kernel.ts'
import { askedItem, type EvaluatedItem, type EvaluatedSample } from './evaluated-item.ts'
import type { EvaluatorRecords } from './evaluators.service.ts'
import type { JudgeOwner } from './judge-budgets.store.ts'
import { type Evaluation, type EvaluationDependencies, openEvaluation } from './open-evaluation.ts'
import { messageOf } from '../../lib/message-of.ts'

const Options = z.object({ evaluator_version_id: z.string() })

/** What a run's evaluators may spend where its own cap is about another payer. Micro-USD. */
export interface RunBudget {
  readonly owner: JudgeOwner
  readonly wallet: { readonly cap: bigint; readonly spent: bigint }
  readonly provider: { readonly cap: bigint | null; readonly spent: bigint }
}

/** What is stored of samples. */
export type SampleFacts = Omit<EvaluatedSample, 'id' | 'messages'>

/** What a run's evaluators need of it. */
export interface RunFacts {
  readonly budgetOf: (runNo: number) => RunBudget
  readonly samplesOf: (runNo: number, positions: readonly number[]) => ReadonlyMap<number, SampleFacts>
}

/** The version that a metric of an evaluator names. */
export function evaluatorVersionOf(metric: Pick<MetricPlan, 'options'>): string {
  return Options.parse(metric.options).evaluator_version_id
}

/** Grades a run's answers by evaluators, beside its scorers. */
export function createRunGraders(kernel: Kernel, dependencies: EvaluationDependencies & { readonly records: EvaluatorRecords }) {
  const open = new Map<number, Map<string, Promise<Evaluation>>>()

  const evaluationFor = (run: GradedRun, versionId: string, budgetOf: (runNo: number) => RunBudget): Promise<Evaluation> => {
    const ofRun = open.get(run.runNo) ?? new Map<string, Promise<Evaluation>>()
    open.set(run.runNo, ofRun)
    const known = ofRun.get(versionId)
    if (known) return known
    const budget = budgetOf(run.runNo)
    const caps: Partial<Record<'wallet' | 'provider', SpendCap>> = {}
    const capOf = (payer: 'wallet' | 'provider') => (caps[payer] ??= createSpendCap(budget[payer].cap, budget[payer].spent))
    const opened = openEvaluation(kernel, dependencies, dependencies.records.tree(budget.owner.workspaceId, versionId), {
      owner: budget.owner,
      spendingOf: payer => (run.spending !== null && run.payer === payer ? run.spending : capOf(payer)),
      patienceMs: run.patienceMs,
      signal: run.stopSignal,
    })
    ofRun.set(versionId, opened)
    // The next output opens it again.
    opened.catch(() => ofRun.delete(versionId))
    return opened
  }

  const grade = async (
    metric: MetricPlan,
    inputs: readonly GradedInput[],
    run: GradedRun,
    { budgetOf, samplesOf }: RunFacts,
  ): Promise<Score[]> => {
    const facts = samplesOf(
      run.runNo,
      inputs.flatMap(({ position }) => position ?? []),
    )
    const items = inputs.map(input => toItem(input, facts.get(input.position ?? -1)))
    try {
      const evaluation = await evaluationFor(run, evaluatorVersionOf(metric), budgetOf)
      const scores = await Promise.all(
        // One by one: where its judges fail for one output, the others keep what was answered.
        items.map(async item => {
          try {
            const [evaluated] = await evaluation.evaluate([item])
            return evaluated?.score ?? unscored('The evaluator gave no score.')
          } catch (error) {
            return withoutJudge(error, run)
          }
        }),
      )
      return scores
    } catch (error) {
      const score = withoutJudge(error, run)
      return items.map(() => score)
    }
  }

  return {
    scoring:
      (score: ScoreBatch, facts: RunFacts): ScoreBatch =>
      async (metrics, inputs, run) => {
        const evaluated = metrics.map(({ scorer }) => scorer === evaluatorScorer)
        if (!run || !evaluated.includes(true)) return score(metrics, inputs, run)
        const plain = inputs.map(({ question: _, ...input }) => input)
        const [rows, ...columns] = await Promise.all([
          score(
            metrics.filter((_, i) => !evaluated[i]),
            plain,
            run,
          ),
          ...metrics.filter((_, i) => evaluated[i]).map(metric => grade(metric, inputs, run, facts)),
        ])
        return rows.map(({ scores, tokens }, row) => {
          const left = { plain: scores.values(), evaluated: columns.flatMap(column => column[row] ?? []).values() }
          return { tokens, scores: evaluated.flatMap(is => (is ? left.evaluated : left.plain).next().value ?? []) }
        })
      },
    /** The run has ended, or is left for the next start. */
    end: async (runNo: number): Promise<void> => {
      const evaluations = [...(open.get(runNo)?.values() ?? [])]
      open.delete(runNo)
      await Promise.allSettled(evaluations.map(async evaluation => (await evaluation).close()))
    },
  }
}

/** Why an output goes without this verdict; when the process closes it does not, and is graded at the next start. */
function withoutJudge(error: unknown, run: GradedRun): Score {
  if (run.closing()) throw error
  if (run.stopSignal.aborted) return unscored('The run was stopped before its judges had answered.')
  if (error instanceof JudgeUnavailableError)
    return error.code === 'cap_reached' ? silent('judge_unpaid', error.message) : lost('judge', error.message)
  return unscored(`The evaluator could not be used: ${messageOf(error)}`)
}

function toItem(
  { position = 0, question, output, earlier = [], isWhole, targets, choices, metadata = {} }: GradedInput,
  told: SampleFacts | undefined,
): EvaluatedItem {
  const item = {
    ...askedItem(question?.messages ?? [], earlier, { targets, metadata }, question?.maxImagePixels),
    item: String(position),
    output,
    isWhole,
    choices,
    label: null,
    metadata,
  }
  return question && told ? { ...item, sample: { ...told, id: question.taskId, messages: question.messages } } : item
}
