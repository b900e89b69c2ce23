import { Readable } from 'node:stream'
import {
  ApiError,
  type Decision,
  type DecisionEvaluation,
  type DecisionListItem,
  decisionMachine,
  illegalTransition,
  type MissingItem,
  type NewDecision,
  notFound,
  type ReleasePolicy,
  type ReleaseSuite,
} from '../../contract/index.ts'
import { detectableDifference } from '../../lib/detectable-difference.ts'
import { whyCannotPass } from '../../engine/reporting/releases/cannot-pass.ts'
import { criticalSum } from '../../engine/statistics/sample-size.ts'
import { transition } from '../../storage/transition.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Principal } from '../auth/index.ts'
import type { FileReply } from '../http/handler.ts'
import type { Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { createAdvance } from './advance-decision.ts'
import { analysisJob } from './analysis.job.ts'
import { adoptEvaluation, evaluationsOf } from './decision-evaluations.store.ts'
import { missingVerdict } from './decision-missing.ts'
import { isCreated } from './decision-needs.ts'
import {
  type Author,
  changeDecision,
  type DecisionRow,
  type DecisionsQuery,
  findDecision,
  insertDecision,
  listDecisions,
} from './decisions.store.ts'
import { labelsOfDecision } from './labels.store.ts'
import { isPaired, lineageOf, type PlanDependencies, planDecision, planDigest } from './plan-decision.ts'
import type { ReleasePolicies } from './policies.service.ts'
import { makeRecord } from './record.ts'
import { recordPage } from './record-page.ts'
import { findRecord, insertRecord, latestDigest } from './records.store.ts'
import { signingKey, signRecord } from './signing.ts'
import type { ReleaseSuites } from './suites.service.ts'

export interface DecisionsDependencies extends PlanDependencies {
  readonly jobs: Jobs
  readonly workers: Pick<Workers, 'release'>
  readonly suites: ReleaseSuites
  readonly policies: ReleasePolicies
}

export type ReleaseDecisions = ReturnType<typeof createReleaseDecisions>

const at = { table: 'release_decisions', column: 'status' } as const

export function createReleaseDecisions(kernel: Kernel, dependencies: DecisionsDependencies) {
  const { db, clock, ids } = kernel
  const { evaluations, runs, jobs, suites, policies } = dependencies

  const read = (workspaceId: string, id: string): DecisionRow => {
    const decision = findDecision(db, workspaceId, id)
    if (!decision) throw notFound('decision', id)
    return decision
  }
  const suiteOf = ({ workspaceId, plan }: DecisionRow) => suites.read(workspaceId, plan.suite.id)
  const policyOf = ({ workspaceId, plan }: DecisionRow) => policies.read(workspaceId, plan.policy.id)

  const close = (decision: DecisionRow, event: 'approve' | 'reject' | 'conclude' | 'cancel'): void => {
    const closedAt = timestamp(clock)
    const { to } = transition(db, decisionMachine, at, decision.id, event, closedAt)
    changeDecision(db, decision.no, { closedAt })
    const present = read(decision.workspaceId, decision.id)
    const record = makeRecord({
      decision: present,
      status: to,
      closedAt,
      suite: suiteOf(decision),
      policy: policyOf(decision),
      evaluations: describeEvaluations(present),
      labels: labelsOfDecision(db, decision.workspaceId, decision.id),
      previousDigest: latestDigest(db, decision.workspaceId),
    })
    insertRecord(db, decision.workspaceId, decision.id, record, closedAt)
  }
  const shared = { evaluations, runs, suiteOf, policyOf, read, close }
  const steps = createAdvance(kernel, { ...shared, jobs })
  jobs.register(analysisJob(kernel, { ...shared, workers: dependencies.workers, sources: dependencies.sources }))

  function describeEvaluations(decision: DecisionRow): DecisionEvaluation[] {
    return evaluationsOf(db, decision.no).map(evaluation => {
      const runId = evaluation.evaluationId === null ? null : evaluations.runOf(decision.workspaceId, evaluation.evaluationId)
      const run = runId === null ? null : runs.read(decision.workspaceId, runId)
      return {
        purpose: evaluation.purpose,
        side: evaluation.side,
        group: evaluation.group,
        look: evaluation.look,
        evaluation_id: evaluation.evaluationId,
        run_id: runId,
        status: run?.status ?? null,
        adopted: evaluation.adopted,
        seen_before_plan: evaluation.seenBeforePlan,
        max_charge_microusd: String(evaluation.maxCharge),
        charged_microusd: evaluation.adopted ? '0' : (run?.accounting.charged_microusd ?? '0'),
        result_version: evaluation.resultVersion,
        samples_digest: evaluation.samplesDigest,
      }
    })
  }

  const listed = (decision: DecisionRow): DecisionListItem => ({
    id: decision.id,
    name: decision.name,
    status: decision.status,
    candidate: decision.plan.candidate.label,
    baseline: decision.plan.baseline?.label ?? null,
    suite_version_id: decision.plan.suite.id,
    suite_name: decision.plan.suite.name,
    policy_id: decision.plan.policy.id,
    policy_name: decision.plan.policy.name,
    attempt: decision.attempt,
    look: decision.look,
    looks: decision.plan.looks,
    recommendation: decision.outcome?.recommendation ?? null,
    created_by: decision.by,
    created_at: decision.createdAt,
    closed_at: decision.closedAt,
  })

  const describe = (decision: DecisionRow, more: readonly MissingItem[] = []): Decision => {
    const { workspaceId } = decision
    const suite = suiteOf(decision)
    const policy = policyOf(decision)
    const labels = labelsOfDecision(db, workspaceId, decision.id)
    const record = findRecord(db, workspaceId, decision.id)
    const list = describeEvaluations(decision)
    const changed = list.some(
      ({ run_id: id, result_version: version }) => id !== null && version !== null && runs.read(workspaceId, id).result_version !== version,
    )
    const planned = list.some(evaluation => evaluation.seen_before_plan)
      ? ['Adopted evaluations were run before the plan was frozen, so their results could have been known.']
      : []
    return {
      ...listed(decision),
      plan: decision.plan,
      plan_digest: decision.planDigest,
      alpha: decision.alpha,
      evaluations: list,
      committed_microusd: String(steps.committed(decision, evaluationsOf(db, decision.no))),
      rules: decision.outcome?.rules ?? null,
      detectable: policy.rules.filter(isPaired).map(rule => ({
        rule: rule.key,
        margin: detectableMargin(
          rule.group === null ? suite.tasks : (suite.groups.find(({ key }) => key === rule.group)?.tasks ?? 0),
          decision.plan.execution.epochs,
          decision.plan.alpha,
          policy.rules.length,
        ),
      })),
      cautions: [
        ...planned,
        ...(decision.outcome === null ? tooFewTasks(decision, suite, policy) : []),
        ...(decision.outcome?.cautions ?? []),
        ...decision.notes,
      ],
      labels,
      missing: [...more, ...steps.missing(decision), ...missingVerdict(decision, policy, labels)],
      job_id: decision.jobId,
      record: record && { digest: record.digest, previous_record_digest: record.previousDigest, newer_results: changed },
    }
  }

  /** Rules that cannot pass, told before anything is spent. */
  const tooFewTasks = ({ workspaceId, plan }: DecisionRow, { groups }: ReleaseSuite, { rules }: ReleasePolicy): string[] => {
    const isPassFail = (key: string): boolean => {
      const found = plan.profiles
        .filter(({ group }) => group === key)
        .map(({ profile_id: id }) => dependencies.catalog.profile(workspaceId, id))
      return found.length === 1 && found.every(entry => entry?.definition.metrics.find(({ primary }) => primary)?.binary === true)
    }
    return rules.flatMap(rule => {
      const scope = groups.filter(({ key }) => rule.group === null || key === rule.group)
      const [only, other] = scope
      const isOneRate = only !== undefined && other === undefined && isPassFail(only.key)
      const why = whyCannotPass(rule, { tasks: scope.reduce((sum, { tasks }) => sum + tasks, 0), isOneRate }, plan.alpha)
      return why === null ? [] : [why]
    })
  }

  return {
    create: async (author: Author, workspaceId: string, body: NewDecision): Promise<Decision> => {
      const suite = suites.read(workspaceId, body.suite_version_id)
      const policy = policies.read(workspaceId, body.policy_id)
      const { plan, adopted } = await planDecision(dependencies, workspaceId, body, suite, policy)
      return db.transaction(() => {
        const id = ids.next()
        const createdAt = timestamp(clock)
        const lineage = lineageOf(workspaceId, plan)
        const no = insertDecision(db, {
          id,
          workspaceId,
          name: body.name,
          plan,
          planDigest: planDigest(plan),
          lineage,
          by: author,
          createdAt,
        })
        for (const { evaluationId, createdAt: made, ...place } of adopted) adoptEvaluation(db, no, place, evaluationId, made < createdAt)
        return describe(read(workspaceId, id))
      })
    },
    list: (workspaceId: string, query: DecisionsQuery) => listDecisions(db, workspaceId, query, listed),
    read: (workspaceId: string, id: string): Decision => describe(read(workspaceId, id)),
    advance: async (workspaceId: string, id: string, principal: Principal) => {
      const { did, missing } = await steps.advance(workspaceId, id, principal)
      return { ...describe(read(workspaceId, id), missing), did }
    },
    cancel: (workspaceId: string, id: string) => {
      const did: string[] = []
      const decision = read(workspaceId, id)
      const isOpen = decisionMachine.events.cancel.from.some(state => state === decision.status)
      if (isOpen) {
        db.transaction(() => close(decision, 'cancel'))
        did.push('Cancelled the decision')
      } else if (decision.status !== 'cancelled' || !isStopping(decision))
        throw illegalTransition('decision', decision.id, decision.status, 'cancel')
      steps.stopEvaluations(decision)
      return { ...describe(read(workspaceId, id)), did }
    },
    record: async (workspaceId: string, id: string, format: 'json' | 'html' | 'dsse'): Promise<FileReply> => {
      const decision = read(workspaceId, id)
      const record = findRecord(db, workspaceId, decision.id)
      if (!record)
        throw new ApiError('result_not_ready', `The decision is ${decision.status} and has no record yet. Advance or cancel it first.`)
      const reply = (contentType: string, ending: string, text: string): FileReply => ({
        kind: 'stream',
        contentType,
        fileName: `release-record-${decision.id}.${ending}`,
        stream: Readable.from([Buffer.from(text)]),
      })
      if (format === 'json') return reply('application/json; charset=utf-8', 'json', record.document)
      if (format === 'html') {
        const { fingerprint } = await signingKey(kernel, workspaceId)
        return reply('text/html; charset=utf-8', 'html', recordPage(describe(decision), record, fingerprint).html)
      }
      return reply('application/vnd.in-toto+dsse', 'dsse.json', await signRecord(kernel, workspaceId, record))
    },
  }

  /** A repeated cancel is safe until its evaluations have ended. */
  function isStopping(decision: DecisionRow): boolean {
    return evaluationsOf(db, decision.no).some(evaluation => {
      if (evaluation.adopted || !isCreated(evaluation)) return false
      const runId = evaluations.runOf(decision.workspaceId, evaluation.evaluationId)
      const status = runId === null ? null : runs.read(decision.workspaceId, runId).status
      return status === 'cancelling' || status === 'queued' || status === 'running'
    })
  }
}

/** With R rules, each at power 1 − 0.2/R, all of a true improvement's rules pass four times in five (Bonferroni). */
function detectableMargin(tasks: number, epochs: number, alpha: number, rules: number): number | null {
  if (tasks === 0) return null
  const margin = detectableDifference(1 / 9 + 1 / 3 / epochs, tasks, criticalSum({ alpha, power: 1 - 0.2 / rules }, 1))
  return margin <= 1 ? margin : null
}
