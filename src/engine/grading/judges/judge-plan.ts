import type { JudgeDefinition, MenuEntry } from '../../../contract/evaluators/evaluator-definition.schemas.ts'
import type { MediaPart } from '../../../contract/messages/messages.schemas.ts'

/** What is graded. Everything in it is untrusted text. */
export interface JudgedMaterial {
  readonly input: string
  /** What the input shows beside its text, each file once; absent where it is text alone. */
  readonly files?: readonly MediaPart[] | undefined
  /** The model was shown images with more pixels resized. */
  readonly maxImagePixels?: number | undefined
  /** One output, or the two of a pair; `a` is the example's first one whichever order is shown. */
  readonly output: string | { readonly a: string; readonly b: string }
  /** The expected answer; null where there is none. */
  readonly reference: string | null
}

/** Order in which the outputs of a pair are shown. Single outputs always have the order `ab`. */
export type Order = 'ab' | 'ba'

/** One question's place among those about one output. */
export interface QuestionPlace {
  readonly judge: number
  readonly vote: number
  readonly order: Order
  /** Id of the rubric's criterion; null in the other modes. */
  readonly criterion: string | null
}

const pairwiseMenu: readonly MenuEntry[] = [
  { value: 'a', meaning: 'Output A is better.' },
  { value: 'b', meaning: 'Output B is better.' },
  { value: 'tie', meaning: 'Neither is better.' },
]
const rubricMenu: readonly MenuEntry[] = [
  { value: 'met', meaning: 'The output meets the criterion.', passes: true },
  { value: 'not met', meaning: 'The output does not meet the criterion, or only in part.', passes: false },
]

/** The definition with every default of its mode written out, as it is stored. */
export function completeJudge(judge: JudgeDefinition): JudgeDefinition {
  const menu =
    judge.menu.length > 0 ? judge.menu : judge.mode === 'pairwise' ? [...pairwiseMenu] : judge.mode === 'rubric' ? [...rubricMenu] : []
  return { ...judge, menu, swap: judge.mode === 'pairwise' && (judge.swap ?? true) }
}

/** Every question about one output, repairs aside. */
export function questionPlaces(judge: JudgeDefinition): QuestionPlace[] {
  const orders: readonly Order[] = judge.swap && judge.mode === 'pairwise' ? ['ab', 'ba'] : ['ab']
  const criteria = judge.mode === 'rubric' ? judge.criteria.map(({ id }) => id) : [null]
  return judge.judges.flatMap((_, judgeNo) =>
    Array.from({ length: judge.votes }, (__, vote) => vote).flatMap(vote =>
      criteria.flatMap(criterion => orders.map(order => ({ judge: judgeNo, vote, order, criterion }))),
    ),
  )
}

/** Whether a verdict is a pass. Where no entry of the menu says so, the first one passes. */
export function passes(menu: readonly MenuEntry[], verdict: string): boolean {
  const stated = menu.some(entry => entry.passes !== undefined)
  const at = menu.findIndex(({ value }) => value === verdict)
  return stated ? (menu[at]?.passes ?? false) : at === 0
}
