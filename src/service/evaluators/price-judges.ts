import type { JudgeDefinition, JudgeModel } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import type { MediaPart } from '../../contract/messages/messages.schemas.ts'
import type { UserModel } from '../../contract/worlds/worlds.schemas.ts'
import { type CountedFile, kindOfMedia, mediaTokens } from '../../engine/clients/tokens/media-tokens.ts'
import { judgeOutputLimit, judgeRequest } from '../../engine/execution/judging/judge-request.ts'
import { judgePrices } from '../../engine/execution/judging/price-judge-call.ts'
import { questionPlaces } from '../../engine/grading/judges/judge-plan.ts'
import { buildJudgePrompt, type JudgePrompt } from '../../engine/grading/judges/judge-prompt.ts'
import type { Connections } from '../connections/index.ts'
import { embedderModel } from './compare-embeddings.ts'
import { type EvaluatorTree, evaluatorsIn } from './evaluator-tree.ts'
import { type JudgeFacts, judgeFacts, modelFacts, writerFacts } from './open-judges.ts'
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
  /** Files whose tokens are not in the estimate, since no rule of the judge's provider is known. */
  readonly uncounted?: number
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
  /** The files of all inputs, null where one is not stored, and how often each is shown with one question; absent where it is not known. */
  readonly shown?: { readonly files: readonly (CountedFile | null)[]; readonly times: number } | undefined
}

const usualVerdictTokens = 120
const noFile = `sha256:${'0'.repeat(64)}`

/** The questions about one output of so many characters, which are the same for every judge and vote. */
function questionsOf(definition: JudgeDefinition, characters: number, kinds: readonly MediaPart['type'][] = []): readonly JudgePrompt[] {
  const filler = 'x'.repeat(Math.min(characters, 2_000_000))
  const output = definition.mode === 'pairwise' ? { a: filler, b: '' } : filler
  const files = kinds.map(type => ({ type, media: noFile }))
  const material = { input: '', files, output, reference: '' }
  return questionPlaces(definition)
    .filter(({ judge, vote }) => judge === 0 && vote === 0)
    .map(place => buildJudgePrompt(definition, place, material, () => '0'.repeat(32)))
}

/** @param size outputs: replies of the user at most */
export function priceUser(
  connections: Connections,
  workspaceId: string,
  { max_charge_microusd: cap, ...model }: UserModel,
  { outputs, longest, usual }: JudgedSize,
): JudgeCost {
  const cost = priceTexts(model, writerFacts(connections, workspaceId, model, ['body']), { outputs, longest, usual })
  const within = (amount: bigint | null) => (cap !== null && amount !== null && BigInt(cap) < amount ? BigInt(cap) : amount)
  return { ...cost, estimated: within(cost.estimated), upperBound: within(cost.upperBound) }
}

/** One call for each output, which shows its text. @param usualTokens of the reply */
function priceTexts(
  model: JudgeModel,
  { name, rates, payer, sees, unavailable }: JudgeFacts,
  { outputs, longest, usual }: JudgedSize,
  usualTokens = usualVerdictTokens,
): JudgeCost {
  const definition = writer(model)
  const prices = judgePrices(rates)
  const free = rates === null ? null : 0n
  const asked = (characters: number) => {
    const content = 'x'.repeat(Math.min(characters, 2_000_000))
    return judgeRequest(definition, 0, { messages: [{ role: 'user', content }], boundary: '' }, { structured: false, sees })
  }
  const likely = prices && prices.usual(asked(usual), usualTokens) * BigInt(outputs)
  const most = prices && prices.reserve(asked(longest)) * BigInt(outputs)
  return {
    calls: outputs,
    payer,
    name,
    sees,
    unavailable,
    estimated: likely ?? free,
    upperBound: most ?? free,
  }
}

/** One entry for each judge and embedding model in the evaluator. */
export function priceJudges(
  connections: Connections,
  workspaceId: string,
  tree: EvaluatorTree,
  { outputs: last, answers = last, longest, usual, files, shown }: JudgedSize,
): JudgeCost[] {
  return evaluatorsIn(tree).flatMap(({ definition }) => {
    if (definition.kind === 'embedding')
      return modelFacts(connections, workspaceId, definition, ['body']).map(facts =>
        priceTexts(embedderModel(definition), facts, { outputs: last, longest, usual }, 0),
      )
    if (definition.kind !== 'model_graded') return []
    const longestOnes = questionsOf(definition, longest, files)
    const usualOnes = usual === longest && files === undefined ? longestOnes : questionsOf(definition, usual)
    const votes = definition.votes * (definition.turns === 'each' ? answers : last)
    return definition.judges.map((judge, judgeNo): JudgeCost => {
      const facts = judgeFacts(connections, workspaceId, judge, ['body'])
      const { name, rates, payer, sees, unavailable } = facts
      const prices = judgePrices(rates)
      const free = rates === null ? null : 0n
      const limit = judgeOutputLimit(definition, judge.effort)
      const asked = (prompt: JudgePrompt) => judgeRequest(definition, judgeNo, prompt, { structured: false, sees })
      const sum = (prompts: readonly JudgePrompt[], of: (prompt: JudgePrompt) => bigint): bigint =>
        prompts.reduce((all, prompt) => all + of(prompt), 0n) * BigInt(votes)
      // A repair question repeats the question and a reply.
      const most = prices && sum(longestOnes, prompt => 2n * prices.reserve(asked(prompt)))
      const usualLimit = Math.min(limit, usualVerdictTokens)
      const likely = prices && sum(usualOnes, prompt => prices.usual(asked(prompt), usualLimit))
      const calls = longestOnes.length * votes
      const asks = longestOnes.length * definition.votes * (shown?.times ?? 0)
      const { tokens, uncounted } = tokensSeen(facts, shown?.files ?? [], asks)
      const estimated = prices && likely !== null ? likely + prices.files(tokens) : free
      return { calls, payer, name, sees, uncounted, unavailable, estimated, upperBound: most ?? free }
    })
  })
}

/** Tokens of the files that a judge is shown so many times, by the rule of its provider. */
function tokensSeen({ sees, mediaRule }: JudgeFacts, files: readonly (CountedFile | null)[], times: number) {
  const tokens = { image: 0, audio: 0, document: 0 }
  let uncounted = 0
  for (const file of files) {
    if (!file || !sees.has(kindOfMedia(file.media_type))) continue
    const counted = mediaRule && mediaTokens(mediaRule, file)
    if (counted === null) uncounted += 1
    else tokens[kindOfMedia(file.media_type)] += counted * times
  }
  return { tokens, uncounted }
}
