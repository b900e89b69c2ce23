import type { JudgeDefinition } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import type { MediaPart } from '../../contract/messages/messages.schemas.ts'
import type { UserModel } from '../../contract/worlds/worlds.schemas.ts'
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
  /** Kinds of files that it takes. */
  readonly sees: JudgeFacts['sees']
  /** Null when it can be called now. */
  readonly unavailable: string | null
}

/** The sizes of what is judged, in characters. */
export interface JudgedSize {
  readonly outputs: number
  /** With those to the earlier turns of scripted conversations; absent: one for each output. */
  readonly answers?: number | undefined
  /** Of one input and one output, at most. */
  readonly longest: number
  /** On the average. */
  readonly usual: number
  /** Kinds of the files of one input, each file, at most; absent where it is text alone. */
  readonly files?: readonly MediaPart['type'][] | undefined
}

const usualVerdictTokens = 120
const noFile = `sha256:${'0'.repeat(64)}`

/** A question for one output with nothing in it: what the instructions alone take. */
function questionsOf(
  definition: JudgeDefinition,
  judgeNo: number,
  characters: number,
  sees: JudgeFacts['sees'],
  kinds: readonly MediaPart['type'][] = [],
) {
  const filler = 'x'.repeat(Math.min(characters, 2_000_000))
  const output = definition.mode === 'pairwise' ? { a: filler, b: '' } : filler
  const files = kinds.map(type => ({ type, media: noFile }))
  const material = { input: '', files, output, reference: '' }
  return questionPlaces(definition)
    .filter(({ judge }) => judge === judgeNo)
    .map(place => {
      const prompt = buildJudgePrompt(definition, place, material, () => '0'.repeat(32))
      return judgeRequest(definition, judgeNo, prompt, { structured: false, sees })
    })
}

/** @param size outputs: replies of the user at most */
export function priceUser(
  connections: Connections,
  workspaceId: string,
  { max_charge_microusd: cap, ...model }: UserModel,
  { outputs, longest, usual }: JudgedSize,
): JudgeCost {
  const { name, rates, payer, sees, unavailable } = writerFacts(connections, workspaceId, model, ['body'])
  const definition = writer(model)
  const prices = judgePrices(rates)
  const free = rates === null ? null : 0n
  const asked = (characters: number) => {
    const content = 'x'.repeat(Math.min(characters, 2_000_000))
    return judgeRequest(definition, 0, { messages: [{ role: 'user', content }], boundary: '' }, { structured: false, sees })
  }
  const within = (amount: bigint) => (cap !== null && BigInt(cap) < amount ? BigInt(cap) : amount)
  const likely = prices && prices.reserve({ ...asked(usual), maxOutputTokens: usualVerdictTokens }) * BigInt(outputs)
  const most = prices && prices.reserve(asked(longest)) * BigInt(outputs)
  return {
    calls: outputs,
    payer,
    name,
    sees,
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
  { outputs: last, answers = last, longest, usual, files }: JudgedSize,
): JudgeCost[] {
  return evaluatorsIn(tree).flatMap(({ definition }) =>
    definition.kind !== 'model_graded'
      ? []
      : definition.judges.map((judge, judgeNo): JudgeCost => {
          const { name, rates, payer, sees, unavailable } = judgeFacts(connections, workspaceId, judge, ['body'])
          const outputs = definition.turns === 'each' ? answers : last
          const calls = questionPlaces(definition).filter(place => place.judge === judgeNo).length * outputs
          const prices = judgePrices(rates)
          const free = rates === null ? null : 0n
          const limit = judgeOutputLimit(definition, judge.effort)
          // A repair question repeats the question and a reply.
          const most =
            prices &&
            questionsOf(definition, judgeNo, longest, sees, files).reduce((sum, request) => sum + 2n * prices.reserve(request), 0n) *
              BigInt(outputs)
          const likely =
            prices &&
            questionsOf(definition, judgeNo, usual, sees).reduce(
              (sum, request) => sum + prices.reserve({ ...request, maxOutputTokens: Math.min(limit, usualVerdictTokens) }),
              0n,
            ) * BigInt(outputs)
          return { calls, payer, name, sees, unavailable, estimated: likely ?? free, upperBound: most ?? free }
        }),
  )
}
