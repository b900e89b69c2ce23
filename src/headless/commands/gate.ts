import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Api } from '../../contract/api.ts'
import type { Response } from '../../contract/endpoint.ts'
import { isTerminal } from '../../contract/machine.ts'
import { decisionMachine } from '../../contract/releases/decision.machine.ts'
import { followRun } from '../client/follow-run.ts'
import { type Finish, onService, type Session } from '../client/session.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { argumentOf } from './arguments.ts'

type Decision = Response<Api['getReleaseDecision']>

const pollMs = 500
/** How a closed decision ends the command. */
const codes: Partial<Record<Decision['status'], ExitCode>> = {
  approved: exitCodes.passed,
  rejected: exitCodes.gateFailed,
  inconclusive: exitCodes.inconclusive,
  cancelled: exitCodes.error,
}

/** `assay gate DECISION`: advances a release decision until it is closed or needs a person, and exits by its outcome. */
export function addGate(program: Command, finish: Finish): void {
  program
    .command('gate')
    .argument('<decision>', 'id of the release decision')
    .description('advance a release decision and exit by its outcome')
    .action(
      onService(finish, async (session, command) => {
        const decision = await settle(session, argumentOf(command, 0))
        session.out.endProgress()
        session.out.body(decision)
        show(session, decision)
        return codes[decision.status] ?? codeOfMissing(decision)
      }),
    )
}

/** The decision once it is closed, or when only something other than time takes it further. */
async function settle(session: Session, id: string): Promise<Decision> {
  const { client, out } = session
  const params = { decision_id: id }
  for (;;) {
    const seen = await client.call('getReleaseDecision', { params })
    out.progress(`${seen.name}: ${seen.status.replace('_', ' ')}`)
    if (isTerminal(decisionMachine, seen.status)) return seen
    if (seen.status === 'analyzing') {
      await delay(pollMs)
      continue
    }
    const { did, ...step } = await client.call('advanceReleaseDecision', { params })
    if (step.status === 'analyzing') continue
    if (step.missing.some(({ code }) => code !== 'evaluation_running')) return step
    const running = step.evaluations.find(({ run_id: run, status }) => run !== null && (status === 'queued' || status === 'running'))
    if (running?.run_id != null) await followRun(session, running.run_id)
    else if (did.length === 0) return step
  }
}

/** An evaluation that could not be completed is an execution error; everything else waits for a person. */
function codeOfMissing({ missing }: Decision): ExitCode {
  return missing.every(({ code }) => code === 'evaluation_incomplete') ? exitCodes.inconclusive : exitCodes.humanNeeded
}

function show({ client, out, ephemeral }: Session, { id, name, status, recommendation, rules, missing }: Decision): void {
  out.line(`${name}: ${status.replace('_', ' ')}${recommendation === null ? '' : `, recommendation ${recommendation}`}`)
  out.table(['RULE', 'VERDICT', 'DETAIL'], rules?.map(({ key, verdict, detail }) => [key, verdict, String(detail ?? '')]) ?? [])
  for (const { message } of missing) out.line(`Missing: ${message}`)
  if (!ephemeral) out.note(client.pageUrl(`/releases/${id}`))
}
