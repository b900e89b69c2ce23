import type { JudgeDefinition } from '../../../contract/evaluators/evaluator-definition.schemas.ts'
import type { Score } from '../scorers/scorer.ts'
import { healthbenchScore } from '../scorers/simple-evals/healthbench.ts'
import { graded, type JudgeSilence, lost, silent, unscored } from '../scorers/verdict.ts'
import { type Count, countVotes, tieOf, valueOf, type Vote } from './count-votes.ts'
import { type JudgedMaterial, type Order, type QuestionPlace, questionPlaces } from './judge-plan.ts'
import { buildJudgePrompt, buildRepairPrompt, type JudgePrompt } from './judge-prompt.ts'
import type { JudgeReply, ParsedVerdict } from './parse-verdict.ts'

/** One question to one judge. The same place and `repair` always mean the same question, so that a stored reply can be reused for it. */
export interface JudgeQuestion extends QuestionPlace {
  readonly repair: boolean
  readonly prompt: JudgePrompt
}

export type JudgeAnswer = ({ readonly ok: true } & JudgeReply) | { readonly ok: false; readonly reason: string }

export interface JudgePorts {
  /** Asks a judge, or finds what it answered before. Never rejects but to stop everything. */
  ask(question: JudgeQuestion): Promise<JudgeAnswer>
  /** Reads a reply, somewhere where that may take time. */
  parse(reply: JudgeReply, boundary: string): Promise<ParsedVerdict>
  /** Told what was read out of a reply. */
  read(question: JudgeQuestion, parsed: ParsedVerdict): void
  /** A random boundary of at least 128 bits. */
  boundary(): string
}

/** What became of one output under a judge. */
export interface JudgedOutput {
  readonly score: Score
  readonly votes: readonly Vote[]
  /** Of votes that were asked in both orders and have a verdict in each. */
  readonly swapped: { readonly pairs: number; readonly flips: number }
}

/** Asks all questions about one output at once and puts the verdicts together. */
export async function judgeOutput(judge: JudgeDefinition, material: JudgedMaterial, ports: JudgePorts): Promise<JudgedOutput> {
  if (judge.reference === 'expected' && material.reference === null && judge.skip_without_reference)
    return { ...nothing(''), score: graded(1, { answer: null, explanation: 'Nothing is expected of this output, so no judge was asked.' }) }
  if (judge.reference === 'expected' && material.reference === null)
    return nothing('The example has no expected answer, and the judge compares with one.')
  const isPair = typeof material.output !== 'string'
  if (isPair !== (judge.mode === 'pairwise'))
    return nothing(
      isPair ? 'The example is a pair of outputs, and the judge grades one.' : 'The example is one output, and the judge compares two.',
    )
  let isLost = false
  let silence: JudgeSilence | null = null
  const watched: JudgePorts = {
    ...ports,
    ask: async question => {
      const answer = await ports.ask(question)
      if (!answer.ok) isLost = true
      return answer
    },
    read: (question, parsed) => {
      if (question.repair && parsed.verdict === null) silence = parsed.onlyThought ? 'judge_answer_missing' : (silence ?? 'judge_unclear')
      ports.read(question, parsed)
    },
  }
  const verdicts = await Promise.all(
    questionPlaces(judge).map(async place => ({ place, ...(await askOnce(judge, place, material, watched)) })),
  )
  const votes = [...Map.groupBy(verdicts, ({ place }) => JSON.stringify([place.judge, place.vote, place.criterion])).values()].map(
    both => ({ criterion: both[0]?.place.criterion ?? null, ...mergeOrders(judge, both) }),
  )
  const flips = votes.filter(vote => vote.flipped !== null)
  const swapped = { pairs: flips.length, flips: flips.filter(vote => vote.flipped).length }
  const score = judge.mode === 'rubric' ? rubricScore(judge, votes) : toScore(countVotes(judge, votes))
  return { score: score.value === null ? withReason(score, isLost, silence) : score, votes, swapped }
}

/** A reason that results count, where the judges are the reason. */
function withReason(score: Score, isLost: boolean, silence: JudgeSilence | null): Score {
  if (isLost) return lost('judge', score.explanation)
  return silence === null ? score : silent(silence, score.explanation)
}

function nothing(reason: string): JudgedOutput {
  return { score: unscored(reason), votes: [], swapped: { pairs: 0, flips: 0 } }
}

/** One question, and one more where the reply is off the menu. */
async function askOnce(judge: JudgeDefinition, place: QuestionPlace, material: JudgedMaterial, ports: JudgePorts): Promise<ParsedVerdict> {
  const prompt = buildJudgePrompt(judge, place, material, ports.boundary)
  const first = await ask({ ...place, repair: false, prompt }, ports)
  if (first.parsed.verdict !== null || first.reply === null) return first.parsed
  const second = await ask({ ...place, repair: true, prompt: buildRepairPrompt(judge, prompt, first.reply) }, ports)
  if (second.parsed.verdict !== null) return { ...second.parsed, reason: first.parsed.reason || second.parsed.reason }
  if (second.reply === null) return second.parsed
  const { problem = 'gave a reply that is not on the menu' } = second.parsed
  const reply = second.reply || first.reply
  const quoted = reply === '' ? '' : ` It replied: ${JSON.stringify(reply.slice(0, 200))}`
  return { verdict: null, problem, reason: `The judge ${problem}, also after a repair prompt.${quoted}` }
}

/** @returns `reply` null where there was no answer at all, which no second question would mend */
async function ask(question: JudgeQuestion, ports: JudgePorts): Promise<{ parsed: ParsedVerdict; reply: string | null }> {
  const answer = await ports.ask(question)
  if (!answer.ok) return { parsed: { verdict: null, reason: answer.reason }, reply: null }
  const parsed = await ports.parse(answer, question.prompt.boundary)
  ports.read(question, parsed)
  return { parsed, reply: answer.text }
}

type Asked = ParsedVerdict & { readonly place: QuestionPlace }

/**
 * The verdicts of both orders as one vote about the example's own first and second output, by the definition's rule:
 * - `tie`: Zheng et al. (2023), arXiv:2306.05685, section 3.4: a win needs both orders, and what is inconsistent is a tie.
 * - `average`: Wang et al. (2023), arXiv:2305.17926, balanced position calibration: the mean of both orders, here of 1, 0.5 and 0.
 * - `judgebench`: ScalerLab/JudgeBench at 12a499c, `utils/metrics.py`: each order adds or takes one, a tie or no verdict is nothing, and
 *   the sign decides. There two orders without a verdict are a tie; here they give no verdict.
 * - `consistent`: of no one tool; only pairs whose verdict does not change with the order have one.
 */
function mergeOrders(judge: JudgeDefinition, both: readonly Asked[]): Vote {
  const { judge: judgeNo = 0, vote = 0 } = both[0]?.place ?? {}
  const mapped = both.map(({ place, verdict, reason }) => ({
    verdict: verdict === null ? null : mapBack(judge, verdict, place.order),
    reason,
  }))
  const [first = { verdict: null, reason: '' }, second] = mapped
  if (second === undefined) return { judge: judgeNo, vote, ...first, flipped: null }
  const missing = mapped.find(({ verdict }) => verdict === null)
  if (missing && judge.swap_rule === 'judgebench') {
    const given = mapped.find(({ verdict }) => verdict !== null) ?? missing
    return { judge: judgeNo, vote, ...given, flipped: null }
  }
  if (missing) return { judge: judgeNo, vote, verdict: null, reason: missing.reason, flipped: null }
  if (first.verdict === second.verdict) return { judge: judgeNo, vote, ...first, flipped: false }
  const reason = `The verdict changed with the order of the outputs: ${first.verdict} as given, ${second.verdict} when swapped.`
  return { judge: judgeNo, vote, ...disagreement(judge, first.verdict ?? '', second.verdict ?? ''), reason, flipped: true }
}

function disagreement(judge: JudgeDefinition, first: string, second: string): Pick<Vote, 'verdict' | 'value'> {
  if (judge.swap_rule === 'consistent') return { verdict: null }
  if (judge.swap_rule !== 'average' && judge.swap_rule !== 'judgebench') return { verdict: tieOf(judge) }
  const value = (valueOf(judge, first) + valueOf(judge, second)) / 2
  // Of a verdict and a tie the verdict is left; a and b leave neither, whether the menu has a word for it or not.
  const verdict = value === 0.5 ? (tieOf(judge) ?? 'tie') : valueOf(judge, first) === 0.5 ? second : first
  return judge.swap_rule === 'average' ? { verdict, value } : { verdict }
}

function mapBack({ mode, menu }: JudgeDefinition, verdict: string, order: Order): string {
  if (mode !== 'pairwise' || order === 'ab') return verdict
  const other = verdict.toLowerCase() === 'a' ? 'b' : verdict.toLowerCase() === 'b' ? 'a' : verdict
  return menu.find(({ value }) => value.toLowerCase() === other.toLowerCase())?.value ?? verdict
}

function toScore({ verdict, value, explanation }: Count): Score {
  if (value === null) return unscored(explanation)
  return graded(value, { explanation, answer: verdict, ...(verdict !== null && { label: verdict }) })
}

/** Points of the criteria that are met over the points to be had, cut to [0, 1]. One criterion without a verdict, and the output has none. */
function rubricScore(judge: JudgeDefinition, votes: readonly (Vote & { readonly criterion: string | null })[]): Score {
  const counted = judge.criteria.map(criterion => ({
    criterion,
    count: countVotes(
      judge,
      votes.filter(vote => vote.criterion === criterion.id),
    ),
  }))
  const open = counted.find(({ count }) => count.value === null)
  if (open) return unscored(`The criterion ${open.criterion.id} has no verdict. ${open.count.explanation}`)
  const met = counted.map(({ count }) => (count.value ?? 0) >= 0.5)
  const points = judge.criteria.map(criterion => criterion.points)
  const missed = counted.find(({ criterion }, i) => criterion.required && met[i] !== criterion.points > 0)
  const earned = healthbenchScore(points, met) ?? 0
  const value = missed ? 0 : Math.max(0, Math.min(1, earned))
  const list = counted.map(
    ({ criterion, count }, i) =>
      `${met[i] ? 'met' : 'not met'}, ${criterion.points} points: ${criterion.text.slice(0, 200)} (${count.explanation.slice(0, 300)})`,
  )
  const lead = missed
    ? `The required criterion ${missed.criterion.id} is not met, so the score is 0.`
    : `${met.filter(Boolean).length} of ${met.length} criteria are met.`
  return graded(value, {
    answer: null,
    explanation: [lead, ...list].join('\n'),
    values: Object.fromEntries(counted.map(({ criterion }, i) => [criterion.id, met[i] ? 1 : 0])),
  })
}
