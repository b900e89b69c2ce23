import type { JudgeDefinition } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import { combineTurns } from '../../engine/grading/evaluators/combine-turns.ts'
import type { Vote } from '../../engine/grading/judges/count-votes.ts'
import type { JudgedOutput } from '../../engine/grading/judges/judge-output.ts'
import type { Score } from '../../engine/grading/scorers/scorer.ts'
import { unscored } from '../../engine/grading/scorers/verdict.ts'
import type { EvaluatedItem } from './evaluated-item.ts'

/** What became of one output. */
export interface Evaluated {
  readonly score: Score
  readonly votes: readonly Vote[]
  readonly swapped: JudgedOutput['swapped']
}

/** One answer that a judge is asked about. */
export type JudgedAnswer = Pick<EvaluatedItem, 'item' | 'input' | 'files' | 'maxImagePixels' | 'targets'> & {
  readonly output: NonNullable<EvaluatedItem['output']>
}

/** Asks a judge about the answers that its definition chooses: the last, that to one turn, or each of a scripted conversation. */
export async function judgeTurns(
  definition: Pick<JudgeDefinition, 'turns' | 'reference' | 'skip_without_reference'>,
  item: EvaluatedItem,
  judge: (item: JudgedAnswer) => Promise<Evaluated>,
): Promise<Evaluated> {
  const { output, earlier } = item
  const { turns } = definition
  if (output === null) return plain(unscored('The example has no output to grade.'))
  const last = { ...item, output }
  // An output without a scripted conversation is all that there is to grade.
  if (turns === undefined || !earlier) return judge(last)
  const all: readonly JudgedAnswer[] = [...earlier.map((turn, i) => ({ ...turn, item: `${item.item}#${i + 1}` })), last]
  if (turns !== 'each') {
    const chosen = all[turns - 1]
    if (chosen) return judge(chosen)
    return plain(unscored(`The judge grades turn ${turns}, and the conversation has ${all.length} ${all.length === 1 ? 'turn' : 'turns'}.`))
  }
  const needsReference = definition.reference === 'expected' && !definition.skip_without_reference
  const graded = all.flatMap((one, i) => (needsReference && one.targets.length === 0 ? [] : [{ turn: i + 1, one }]))
  if (all.length === 1 || graded.length === 0) return judge(last)
  const judged = await Promise.all(graded.map(async ({ turn, one }) => ({ turn, ...(await judge(one)) })))
  const sum = (of: (swapped: Evaluated['swapped']) => number) => judged.reduce((total, { swapped }) => total + of(swapped), 0)
  return {
    score: combineTurns(judged, all.length),
    votes: judged.flatMap(({ votes }) => votes),
    swapped: { pairs: sum(({ pairs }) => pairs), flips: sum(({ flips }) => flips) },
  }
}

/** Without anybody asked. */
export function plain(score: Score): Evaluated {
  return { score, votes: [], swapped: { pairs: 0, flips: 0 } }
}
