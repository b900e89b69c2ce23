import { z } from 'zod'
import type { Evaluations } from '../evaluations/index.ts'
import type { JobHandler, Jobs } from '../jobs/index.ts'
import type { Kernel } from '../kernel.ts'
import type { Advance } from './advance-decision.ts'
import { changeDecision, collectingDecisions, type DecisionRow, Payer } from './decisions.store.ts'

const Input = z.strictObject({ workspace_id: z.string(), decision_id: z.string(), payer: Payer })

export interface ContinuationDependencies {
  readonly evaluations: Pick<Evaluations, 'ofRun'>
  readonly jobs: Pick<Jobs, 'enqueue' | 'register'>
  readonly steps: Pick<Advance, 'advance' | 'missing'>
  readonly read: (workspaceId: string, id: string) => DecisionRow
}

/** Advances decisions by themselves when what they waited for is there, charged to whoever advanced them last. */
export function createContinuation({ db }: Kernel, { evaluations, jobs, steps, read }: ContinuationDependencies) {
  const note = (decision: DecisionRow, text: string): void => {
    if (!decision.notes.includes(text)) changeDecision(db, decision.no, { notes: [...decision.notes, text] })
  }
  const handler: JobHandler<z.infer<typeof Input>> = {
    kind: 'release_step',
    input: Input,
    lane: 'release-steps',
    concurrency: 1,
    run: async ({ input: { workspace_id: workspaceId, decision_id: id, payer } }) => {
      if (read(workspaceId, id).status !== 'collecting') return
      const { missing } = await steps.advance(workspaceId, id, payer)
      const credit = missing.find(({ code }) => code === 'credit')
      if (!credit) return
      return () => note(read(workspaceId, id), `The next evaluation could not start: ${credit.message}`)
    },
    ended: ({ input }, { message }) => note(read(input.workspace_id, input.decision_id), `The decision could not continue: ${message}`),
  }
  jobs.register(handler)

  /** In the caller's transaction. Nothing for a decision of an earlier version, which does not say who pays. */
  const enqueue = ({ workspaceId, id, payer }: DecisionRow): void => {
    if (payer === null) return
    jobs.enqueue('release_step', {
      workspaceId,
      owner: payer.owner,
      input: { workspace_id: workspaceId, decision_id: id, payer },
      subject: { type: 'release_decision', id },
    })
  }
  const continueReady = (evaluationId: string | null): void => {
    for (const decision of collectingDecisions(db, evaluationId)) {
      if (steps.missing(decision).every(({ code }) => code === 'calibration')) enqueue(decision)
    }
  }
  return {
    enqueue,
    /** A run has a new result. Labels continue nothing: a person says when they are done. */
    afterRun: (workspaceId: string, runId: string): void => {
      const evaluation = evaluations.ofRun(workspaceId, runId)
      if (evaluation !== null) continueReady(evaluation)
    },
    /** Continues what was ready when the service stopped. */
    start: (): void => continueReady(null),
  }
}
