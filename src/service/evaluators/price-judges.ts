import type { JudgeDefinition, UserModel } from '../../contract/index.ts'
import { judgeOutputLimit, judgeRequest } from '../../engine/execution/judging/judge-request.ts'
import { judgePrices } from '../../engine/execution/judging/price-judge-call.ts'
import { questionPlaces } from '../../engine/grading/judges/judge-plan.ts'
import { buildJudgePrompt } from '../../engine/grading/judges/judge-prompt.ts'
import type { Connections } from '../connections/index.ts'
import { type EvaluatorTree, evaluatorsIn } from './evaluator-tree.ts'
import { type JudgeFacts, judgeFacts, writerFacts } from './open-judges.ts'
import { writer } from './writer-definition.ts'

/** What judging so many outputs would take, by who is paid. Micro-USD; null where a judge's rates are not known. */
export interface JudgeCost {
  readonly calls: number
  readonly payer: JudgeFacts['payer']
  readonly estimated: bigint | null
  readonly upperBound: bigint | null
  readonly name: string
  /** Null when it can be called now. */
  readonly unavailable: string | null
}

/** The sizes of what is judged, in characters. */
export interface JudgedSize {
  readonly outputs: number
  /** Of one input and one output, at most. */
  readonly longest: number
  /** On the average. */
  readonly usual: number
}

const usualVerdictTokens = 120

/** A question for one output with nothing in it: what the instructions alone take. */
function questionsOf(definition: JudgeDefinition, judgeNo: number, characters: number) {
  const filler = 'x'.repeat(Math.min(characters, 2_000_000))
  const output = definition.mode === 'pairwise' ? { a: filler, b: '' } : filler
  return questionPlaces(definition)
    .filter(({ judge }) => judge === judgeNo)
    .map(place =>
      judgeRequest(
        definition,
        judgeNo,
        buildJudgePrompt(definition, place, { input: '', output, reference: '' }, () => '0'.repeat(32)),
        false,
      ),
    )
}

/** @param size outputs: replies of the user at most */
export function priceUser(
  connections: Connections,
  workspaceId: string,
  { max_charge_microusd: cap, ...model }: UserModel,
  { outputs, longest, usual }: JudgedSize,
): JudgeCost {
  const { name, rates, payer, unavailable } = writerFacts(connections, workspaceId, model, ['body'])
  const definition = writer(model)
  const prices = judgePrices(rates)
  const free = rates === null ? null : 0n
  const asked = (characters: number) => {
    const content = 'x'.repeat(Math.min(characters, 2_000_000))
    return judgeRequest(definition, 0, { messages: [{ role: 'user', content }], boundary: '' }, false)
  }
  const within = (amount: bigint) => (cap !== null && BigInt(cap) < amount ? BigInt(cap) : amount)
  const likely = prices && prices.reserve({ ...asked(usual), maxOutputTokens: usualVerdictTokens }) * BigInt(outputs)
  const most = prices && prices.reserve(asked(longest)) * BigInt(outputs)
  return {
    calls: outputs,
    payer,
    name,
    unavailable,
    estimated: likely === null ? free : within(likely),
    upperBound: most === null ? free : within(most),
  }
}

/** One entry for each judge in the evaluator. */
export function priceJudges(
  connections: Connections,
  workspaceId: string,
  tree: EvaluatorTree,
  { outputs, longest, usual }: JudgedSize,
): JudgeCost[] {
  return evaluatorsIn(tree).flatMap(({ definition }) =>
    definition.kind !== 'model_graded'
      ? []
      : definition.judges.map((judge, judgeNo): JudgeCost => {
          const { name, rates, payer, unavailable } = judgeFacts(connections, workspaceId, judge, ['body'])
          const calls = questionPlaces(definition).filter(place => place.judge === judgeNo).length * outputs
          const prices = judgePrices(rates)
          const free = rates === null ? null : 0n
          const limit = judgeOutputLimit(definition, judge.effort)
          // A repair question repeats the question and a reply.
          const most =
            prices &&
            questionsOf(definition, judgeNo, longest).reduce((sum, request) => sum + 2n * prices.reserve(request), 0n) * BigInt(outputs)
          const likely =
            prices &&
            questionsOf(definition, judgeNo, usual).reduce(
              (sum, request) => sum + prices.reserve({ ...request, maxOutputTokens: Math.min(limit, usualVerdictTokens) }),
              0n,
            ) * BigInt(outputs)
          return { calls, payer, name, unavailable, estimated: likely ?? free, upperBound: most ?? free }
        }),
  )
}
