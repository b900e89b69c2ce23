import { z } from 'zod'
import { decisionMachine } from '../../contract/releases/decision.machine.ts'
import type { ReleasePolicy } from '../../contract/releases/policies.schemas.ts'
import type { ReleaseSuite } from '../../contract/releases/suites.schemas.ts'
import { transition } from '../../storage/transition.ts'
import type { ReleaseAnswer, ReleaseQuestion, RunToRead } from '../../workers/release.worker.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Evaluations } from '../evaluations/index.ts'
import type { JobHandler } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Runs } from '../runs/index.ts'
import { type EvaluationOfDecision, evaluationsOf } from './decision-evaluations.store.ts'
import { isCreated, sidesOf } from './decision-needs.ts'
import { changeDecision, type DecisionRow } from './decisions.store.ts'
import { countLabeledSamples } from './labels.store.ts'
import type { DecisionSources } from './ports.ts'

const Input = z.strictObject({ workspace_id: z.string(), decision_id: z.string() })
type Input = z.infer<typeof Input>

export interface AnalysisDependencies {
  readonly evaluations: Evaluations
  readonly runs: Runs
  readonly workers: Pick<Workers, 'release'>
  readonly sources: () => DecisionSources
  readonly suiteOf: (decision: DecisionRow) => ReleaseSuite
  readonly policyOf: (decision: DecisionRow) => ReleasePolicy
  readonly read: (workspaceId: string, id: string) => DecisionRow
  readonly close: (decision: DecisionRow, event: 'approve' | 'reject' | 'conclude') => void
  /** Has a decision that collects more advance by itself, in the caller's transaction. */
  readonly continueLater: (decision: DecisionRow) => void
}

const at = { table: 'release_decisions', column: 'status' } as const

/** Analyzes a decision on a thread. It only reads, so that after a kill it runs again; its one write ends it. */
export function analysisJob(kernel: Kernel, dependencies: AnalysisDependencies): JobHandler<Input> {
  const { db, clock } = kernel
  const { workers, read, policyOf, close, continueLater } = dependencies
  const decisionOf = ({ workspace_id, decision_id }: Input) => read(workspace_id, decision_id)
  return {
    kind: 'release_analysis',
    input: Input,
    lane: 'release-analyses',
    concurrency: 1,
    run: async job => {
      const decision = decisionOf(job.input)
      if (decision.status !== 'analyzing') return
      const answer = await workers.release(questionOf(kernel, dependencies, decision), job.signal)
      return () => {
        // Cancelled while it was analyzed: the decision stays so.
        if (decisionOf(job.input).status === 'analyzing') conclude(decision, answer)
      }
    },
    ended: ({ input }, { message }) => {
      const decision = decisionOf(input)
      if (decision.status !== 'analyzing') return
      changeDecision(db, decision.no, { notes: [...decision.notes, `An analysis failed: ${message}`] })
      transition(db, decisionMachine, at, decision.id, 'resume', timestamp(clock))
    },
  }

  function conclude(decision: DecisionRow, { rules, recommendation, cautions, suspects }: ReleaseAnswer): void {
    const outcome = { rules: [...rules], recommendation, cautions: [...cautions] }
    changeDecision(db, decision.no, { outcome })
    const isLast = decision.look === decision.plan.looks
    if (!isLast && recommendation === 'inconclusive') {
      changeDecision(db, decision.no, { look: decision.look + 1 })
      transition(db, decisionMachine, at, decision.id, 'resume', timestamp(clock), `look ${decision.look + 1}`)
      continueLater(decision)
      return
    }
    if (isLast && suspects.length > 0 && decision.suspects === null && recommendation !== 'reject') {
      changeDecision(db, decision.no, { suspects })
      transition(db, decisionMachine, at, decision.id, 'resume', timestamp(clock), `${suspects.length} suspects`)
      continueLater(decision)
      return
    }
    if (policyOf(decision).human.required) transition(db, decisionMachine, at, decision.id, 'await_human', timestamp(clock))
    else close(decision, recommendation === 'approve' ? 'approve' : recommendation === 'reject' ? 'reject' : 'conclude')
  }
}

function questionOf(
  { db, clock }: Kernel,
  { evaluations, runs, sources, suiteOf, policyOf }: AnalysisDependencies,
  decision: DecisionRow,
): ReleaseQuestion {
  const { workspaceId, plan } = decision
  const suite = suiteOf(decision)
  const policy = policyOf(decision)
  const list = evaluationsOf(db, decision.no)
  const hasBaseline = sidesOf(plan).includes('baseline')
  const runsOf = (purpose: EvaluationOfDecision['purpose'], side: EvaluationOfDecision['side'], group: string): RunToRead[] =>
    list.filter(isCreated).flatMap(evaluation => {
      if (evaluation.purpose !== purpose || evaluation.side !== side || evaluation.group !== group) return []
      const run = runs.read(workspaceId, evaluations.runOf(workspaceId, evaluation.evaluationId) ?? '')
      const version = evaluation.resultVersion ?? run.result_version ?? 1
      const { reproducibility } = runs.results(workspaceId, run.id, version)
      return [{ runId: run.id, resultVersion: version, profiles: reproducibility.profiles, rates: reproducibility.model.rates }]
    })
  const source = sources()
  const runIdsOf = (side: EvaluationOfDecision['side'], group: string): string[] =>
    list.filter(isCreated).flatMap(evaluation => {
      const isOf = evaluation.purpose === 'main' && evaluation.side === side && evaluation.group === group
      const run = isOf ? evaluations.runOf(workspaceId, evaluation.evaluationId) : null
      return run === null ? [] : [run]
    })
  const candidate = suite.groups.flatMap(({ key }) => runIdsOf('candidate', key))
  const sidesRuns = (purpose: EvaluationOfDecision['purpose'], group: string) => ({
    candidate: runsOf(purpose, 'candidate', group),
    baseline: hasBaseline ? runsOf(purpose, 'baseline', group) : null,
  })
  return {
    suiteVersionId: plan.suite.id,
    groups: suite.groups.map(({ key, weight, critical, cluster_by, capabilities }) => ({
      key,
      weight,
      critical,
      clusterBy: cluster_by,
      capabilities,
      runs: sidesRuns('main', key),
      confirm: decision.suspects === null ? null : sidesRuns('confirm', key),
    })),
    seed: plan.seed,
    rules: policy.rules,
    alpha: decision.alpha ?? plan.alpha,
    looks: plan.looks,
    look: decision.look,
    external: source.figures(workspaceId, plan.evidence),
    facts: {
      judges: [...new Set(candidate.flatMap(id => judgesOf(runs, workspaceId, id)))],
      calibrations: source.calibrations(workspaceId, plan.calibrations),
      labels: Object.fromEntries(suite.groups.map(({ key }) => [key, countLabeledSamples(db, workspaceId, runIdsOf('candidate', key))])),
      ...source.issues(workspaceId, plan.suite.id),
    },
    now: timestamp(clock),
  }
}

function judgesOf(runs: Runs, workspaceId: string, runId: string): string[] {
  const { metrics } = runs.results(workspaceId, runId, undefined)
  return metrics.flatMap(({ evaluator }) => (evaluator?.judged ? [evaluator.evaluator_version_id] : []))
}
