import { setTimeout as delay } from 'node:timers/promises'
import type { Api } from '../../src/contract/api.ts'
import type { Request, Response } from '../../src/contract/endpoint.ts'
import { isTerminal } from '../../src/contract/machine.ts'
import { decisionMachine } from '../../src/contract/releases/decision.machine.ts'
import type { Decision } from '../../src/contract/releases/decisions.schemas.ts'
import { patience } from './machine-speed.ts'
import { runToEnd } from './runs.ts'
import type { TestService } from './service.ts'

export type NewDecisionBody = NonNullable<Request<Api['createReleaseDecision']>['body']>
export type PolicyBody = NonNullable<Request<Api['createReleasePolicy']>['body']>
export type SuiteBody = NonNullable<Request<Api['createReleaseSuite']>['body']>
type Target = Pick<TestService, 'client' | 'baseUrl'>
/** Between two questions: asking without a pause would take the processor from the thread that analyzes. */
const pauseMs = 20
type Step = Response<Api['advanceReleaseDecision']>

/** Advances a decision until it needs something that only a person or its evaluations' ends can give, following each run and job. */
export async function advanceFully(service: Target, id: string): Promise<Step> {
  for (;;) {
    const step = await advance(service, id)
    if (isTerminal(decisionMachine, step.status)) return step
    const running = step.evaluations.filter(({ status }) => status === 'queued' || status === 'running')
    for (const { run_id: runId } of running) if (runId !== null) await runToEnd(service.client, service.baseUrl, runId)
    const decision = await analyzed(service, step)
    const isOpen = !isTerminal(decisionMachine, decision.status) && decision.status !== 'awaiting_human'
    const isStuck = running.length === 0 && step.did.length === 0 && decision.status === step.status
    if (!isOpen || isStuck) return { ...decision, did: step.did }
  }
}

/** A decision that continued by itself may be closed before it is advanced. */
async function advance({ client }: Pick<Target, 'client'>, id: string): Promise<Step> {
  const params = { decision_id: id }
  try {
    return await client.call('advanceReleaseDecision', { params })
  } catch (error) {
    const decision = await client.call('getReleaseDecision', { params })
    if (isTerminal(decisionMachine, decision.status)) return { ...decision, did: [] }
    throw error
  }
}

/** Advances a decision once and waits until it needs a person or is closed. */
export async function startAndFollow({ client }: Pick<Target, 'client'>, id: string): Promise<Decision> {
  const params = { decision_id: id }
  let decision: Decision = await client.call('advanceReleaseDecision', { params })
  const until = Date.now() + 60_000 * patience()
  while (decision.status !== 'awaiting_human' && !isTerminal(decisionMachine, decision.status)) {
    if (Date.now() > until) throw new Error(`The decision is still ${decision.status}: ${JSON.stringify(decision.missing)}`)
    await delay(pauseMs)
    decision = await client.call('getReleaseDecision', { params })
  }
  return decision
}

/** Waits for the analysis by following its job, one request after the other. */
async function analyzed({ client }: Pick<Target, 'client'>, decision: Decision): Promise<Decision> {
  let present: Decision = decision
  const until = Date.now() + 30_000 * patience()
  while (present.status === 'analyzing') {
    if (Date.now() > until) throw new Error(`The analysis of ${decision.id} did not end.`)
    await delay(pauseMs)
    present = await client.call('getReleaseDecision', { params: { decision_id: decision.id } })
  }
  return present
}
