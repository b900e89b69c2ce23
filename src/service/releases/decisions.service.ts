import { Readable } from 'node:stream'
import { ApiError, requireFound } from '../../contract/errors.ts'
import { illegalTransition } from '../../contract/machine.ts'
import { decisionMachine } from '../../contract/releases/decision.machine.ts'
import type { Decision, NewDecision } from '../../contract/releases/decisions.schemas.ts'
import { transition } from '../../storage/transition.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Principal } from '../auth/index.ts'
import type { FileReply } from '../http/handler.ts'
import { jobOwner, type Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { createAdvance } from './advance-decision.ts'
import { analysisJob } from './analysis.job.ts'
import { createContinuation } from './continue.job.ts'
import { adoptEvaluation, evaluationsOf } from './decision-evaluations.store.ts'
import { createDecisionDescriber, describeEvaluations, listedDecision } from './describe-decision.ts'
import { isCreated } from './decision-needs.ts'
import { createDecisionTasks } from './decision-tasks.ts'
import {
  type Author,
  changeDecision,
  type DecisionRow,
  type DecisionsQuery,
  findDecision,
  findDecisionOfEvaluation,
  insertDecision,
  listDecisions,
} from './decisions.store.ts'
import { labelsOfDecision } from './labels.store.ts'
import { lineageOf, type PlanDependencies, planDecision, planDigest } from './plan-decision.ts'
import type { ReleasePolicies } from './policies.service.ts'
import { makeRecord } from './record.ts'
import { findRecord, insertRecord, latestDigest } from './records.store.ts'
import { signingKey, signRecord } from './signing.ts'
import type { ReleaseSuites } from './suites.service.ts'

export interface DecisionsDependencies extends PlanDependencies {
  readonly jobs: Jobs
  readonly workers: Pick<Workers, 'release' | 'decisionTasks'>
  readonly suites: ReleaseSuites
  readonly policies: ReleasePolicies
}

export type ReleaseDecisions = ReturnType<typeof createReleaseDecisions>

const at = { table: 'release_decisions', column: 'status' } as const

export function createReleaseDecisions(kernel: Kernel, dependencies: DecisionsDependencies) {
  const { db, clock, ids } = kernel
  const { evaluations, runs, jobs, suites, policies } = dependencies

  const read = (workspaceId: string, id: string): DecisionRow => requireFound(findDecision(db, workspaceId, id), 'decision', id)
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
      evaluations: describeEvaluations({ db, evaluations, runs }, present),
      labels: labelsOfDecision(db, decision.workspaceId, decision.id),
      previousDigest: latestDigest(db, decision.workspaceId),
    })
    insertRecord(db, decision.workspaceId, decision.id, record, closedAt)
  }
  const shared = { evaluations, runs, suiteOf, policyOf, read, close }
  const steps = createAdvance(kernel, { ...shared, jobs })
  // A retry or a raised cap of one of its runs stays within what is left for all of them.
  runs.limitBy((workspaceId, runId) => {
    const evaluation = evaluations.ofRun(workspaceId, runId)
    const decision = evaluation === null ? null : findDecisionOfEvaluation(db, workspaceId, evaluation)
    if (!decision) return null
    const left = BigInt(decision.plan.max_charge_microusd) - steps.committed(decision, evaluationsOf(db, decision.no))
    return { of: `the release decision "${decision.name}"`, left: left > 0n ? left : 0n }
  })
  const describe = createDecisionDescriber({ ...dependencies, db, steps, suiteOf, policyOf })
  const continuation = createContinuation(kernel, { evaluations, jobs, steps, read })
  runs.onEnded(continuation.afterRun)
  jobs.register(
    analysisJob(kernel, {
      ...shared,
      workers: dependencies.workers,
      sources: dependencies.sources,
      continueLater: continuation.enqueue,
    }),
  )

  return {
    start: continuation.start,
    create: async (author: Author, workspaceId: string, body: NewDecision): Promise<Decision> => {
      const suite = suites.read(workspaceId, body.suite_version_id)
      const policy = policies.read(workspaceId, body.policy_id)
      const { plan, adopted } = await planDecision(dependencies, workspaceId, body, author, suite, policy)
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
    list: (workspaceId: string, query: DecisionsQuery) => listDecisions(db, workspaceId, query, listedDecision),
    tasks: createDecisionTasks(kernel, { ...dependencies, read }),
    read: (workspaceId: string, id: string): Decision => describe(read(workspaceId, id)),
    advance: async (workspaceId: string, id: string, principal: Principal) => {
      steps.requireSpender(read(workspaceId, id), principal.id)
      const { did, missing } = await steps.advance(workspaceId, id, { principalId: principal.id, owner: jobOwner(principal) })
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
        // Drawing needs React, which a service that exports nothing does without.
        const { recordPage } = await import('./record-page.ts')
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
