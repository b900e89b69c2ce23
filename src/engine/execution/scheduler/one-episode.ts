import type { EnvironmentSetting } from '../../tasks/definition.ts'
import { type Player, playTask } from '../environments/play-task.ts'
import { type Call, notAsked, oneCall, type Question } from './one-call.ts'
import type { SampleContext } from './sample-context.ts'

/**
 * Plays a task of an environment: each turn is a call that waits for the endpoint and the cap like any other. Null when the process
 * closes under it: the sample is replayed at the next start.
 */
export async function oneEpisode(context: SampleContext, question: Question, environment: EnvironmentSetting): Promise<Call | null> {
  const { plan, ports } = context
  const { sample, task, request } = question
  const startedAt = ports.now()
  let cost = 0n
  let turns = 0
  let isClosing = false
  let streak: Call['streak'] = null
  let isFirstOfStreak = false
  const player: Player =
    plan.model.kind === 'baseline'
      ? { kind: 'baseline', routeId: plan.model.routeId, seed: plan.seed, epoch: sample.epoch }
      : {
          kind: 'model',
          call: async turn => {
            const call = await oneCall(context, { ...question, request: turn, isFirst: question.isFirst && turns++ === 0 })
            isClosing = call === null
            cost += call?.cost ?? 0n
            streak = call?.streak ?? null
            isFirstOfStreak = call?.isFirstOfStreak ?? false
            return call?.outcome ?? notAsked
          },
        }
  const outcome = await playTask(environment, task, request, player)
  return isClosing ? null : { outcome, cost, startedAt, finishedAt: ports.now(), streak, isFirstOfStreak }
}
