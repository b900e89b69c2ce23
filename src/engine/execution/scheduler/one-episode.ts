import { abandonWork, type EarlierCall, newWork } from '../../clients/model-client.ts'
import type { EnvironmentSetting } from '../../tasks/definition.ts'
import { type Player, playTask } from '../environments/play-task.ts'
import { type Call, oneCall, type Question } from './one-call.ts'
import type { SampleContext } from './sample-context.ts'

/** Plays a task of an environment: each turn is a call that waits for the endpoint and the cap like any other. */
export async function oneEpisode(context: SampleContext, question: Question, environment: EnvironmentSetting): Promise<Call> {
  const { plan, ports } = context
  const { sample, task, request } = question
  const startedAt = ports.now()
  const calls: Call[] = []
  const player: Player =
    plan.model.kind === 'baseline'
      ? { kind: 'baseline', routeId: plan.model.routeId, seed: plan.seed, epoch: sample.epoch }
      : {
          kind: 'model',
          call: async turn => {
            // A turn that the endpoint takes no call for waits in its place: what came before it was billed.
            const refused: EarlierCall[] = []
            const work = newWork()
            for (;;) {
              const call = await oneCall(context, { ...question, request: turn, isFirst: question.isFirst && calls.length === 0, work })
              const { outcome } = call
              const isAbandoned = !call.isRefused && (await abandonWork(work))
              calls.push(isAbandoned ? { ...call, isBillUnknown: true } : call)
              if (!call.isRefused) return refused.length === 0 ? outcome : { ...outcome, earlier: [...refused, ...(outcome.earlier ?? [])] }
              refused.push({ request: outcome.request, response: outcome.response })
            }
          },
        }
  const outcome = await playTask(environment, task, request, player, { epoch: sample.epoch, callFunction: ports.callFunction })
  const last = calls.at(-1)
  return {
    outcome,
    cost: calls.reduce((sum, { cost }) => sum + cost, 0n),
    isBillUnknown: calls.some(call => call.isBillUnknown),
    uncertain: calls.reduce((sum, { uncertain }) => sum + uncertain, 0n),
    startedAt,
    finishedAt: ports.now(),
    streak: last?.streak ?? null,
    isFirstOfStreak: last?.isFirstOfStreak ?? false,
    isRefused: false,
    turnsBefore: Math.max(0, calls.length - 1),
  }
}
