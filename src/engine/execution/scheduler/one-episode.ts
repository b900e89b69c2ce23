import type { EnvironmentSetting } from '../../tasks/definition.ts'
import { type Player, playTask } from '../environments/play-task.ts'
import { asOneCall, callInTurn } from './call-in-turn.ts'
import type { Call, Question } from './one-call.ts'
import type { SampleContext } from './sample-context.ts'

/** Plays a task of an environment: each turn is a call that waits for the endpoint and the cap like any other. */
export async function oneEpisode(context: SampleContext, question: Question, environment: EnvironmentSetting): Promise<Call> {
  const { plan, ports, graded } = context
  const { sample, task, request } = question
  const startedAt = ports.now()
  const calls: Call[] = []
  const player: Player =
    plan.model.kind === 'baseline'
      ? { kind: 'baseline', routeId: plan.model.routeId, seed: plan.seed, epoch: sample.epoch }
      : { kind: 'model', call: callInTurn(context, question, calls) }
  const outcome = await playTask(environment, task, request, player, {
    epoch: sample.epoch,
    callFunction: ports.callFunction,
    matchCall: ports.matchCall,
    askUser: (model, messages) => ports.askUser(graded, { model, position: sample.position, messages }),
  })
  return asOneCall(calls, outcome, { startedAt, finishedAt: ports.now() })
}
