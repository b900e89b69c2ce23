import { type Api, type Decision, decisionMachine, isTerminal, type Request, type Response } from '../../src/contract/index.ts'
import { runToEnd } from './runs.ts'
import type { TestService } from './service.ts'

export type NewDecisionBody = NonNullable<Request<Api['createReleaseDecision']>['body']>
export type PolicyBody = NonNullable<Request<Api['createReleasePolicy']>['body']>
export type SuiteBody = NonNullable<Request<Api['createReleaseSuite']>['body']>
type Step = Response<Api['advanceReleaseDecision']>

/** Advances a decision until it needs something that only a person or its evaluations' ends can give, following each run and job. */
export async function advanceFully(service: TestService, id: string): Promise<Step> {
  for (;;) {
    const step = await service.client.call('advanceReleaseDecision', { params: { decision_id: id } })
    const running = step.evaluations.filter(({ status }) => status === 'queued' || status === 'running')
    for (const { run_id: runId } of running) if (runId !== null) await runToEnd(service.client, service.baseUrl, runId)
    const decision = await analyzed(service, step)
    const isOpen = !isTerminal(decisionMachine, decision.status) && decision.status !== 'awaiting_human'
    const isStuck = running.length === 0 && step.did.length === 0 && decision.status === step.status
    if (!isOpen || isStuck) return { ...decision, did: step.did }
  }
}

/** Waits for the analysis by following its job, one request after the other. */
async function analyzed({ client }: TestService, decision: Decision): Promise<Decision> {
  let present: Decision = decision
  const until = Date.now() + 30_000
  while (present.status === 'analyzing') {
    if (Date.now() > until) throw new Error(`The analysis of ${decision.id} did not end.`)
    present = await client.call('getReleaseDecision', { params: { decision_id: decision.id } })
  }
  return present
}
