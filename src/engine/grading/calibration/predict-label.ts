import type { Score } from '../scorers/scorer.ts'

/** What labels an example may have. */
export interface LabelMenu {
  readonly task: 'answer' | 'classify' | 'pairwise' | 'score'
  /** In the menu's order: of two, the first is the pass. Empty for the task `score`. */
  readonly labels: readonly string[]
  /** Of the task `score`. */
  readonly range: readonly [number, number] | null
}

/** What an evaluator says of an example in the words of its labels; `value` where only a threshold turns it into one. */
export type Prediction =
  | { readonly kind: 'label'; readonly label: string }
  | { readonly kind: 'value'; readonly value: number }
  | { readonly kind: 'unscored'; readonly reason: string }

/**
 * A score as a label: the verdict or the extracted answer where the menu has it; on a menu of two, a pass is the first label and a fail
 * the second, and anything between waits for a threshold; a number of a scale is put into the dataset's range.
 */
export function predictLabel(score: Pick<Score, 'value' | 'answer' | 'explanation' | 'label'>, menu: LabelMenu): Prediction {
  if (score.value === null) return { kind: 'unscored', reason: score.explanation }
  if (menu.task === 'score') return numberLabel(score, menu)
  const named = onMenu(score.label, menu) ?? (menu.labels.length > 2 ? onMenu(score.answer, menu) : null)
  if (named !== null) return { kind: 'label', label: named }
  const [pass, fail, third] = menu.labels
  if (pass === undefined || fail === undefined) return { kind: 'unscored', reason: 'The dataset has no menu of at least two labels.' }
  if (third !== undefined)
    return {
      kind: 'unscored',
      reason: `The answer ${JSON.stringify((score.answer ?? '').slice(0, 80))} is not one of the labels ${menu.labels.join(', ')}.`,
    }
  if (score.value >= 1) return { kind: 'label', label: pass }
  return score.value <= 0 ? { kind: 'label', label: fail } : { kind: 'value', value: score.value }
}

function onMenu(text: string | null | undefined, { labels }: LabelMenu): string | null {
  const wanted = text?.trim().toLowerCase()
  return labels.find(label => label.toLowerCase() === wanted) ?? null
}

/** The number that the judge wrote, where it lies in the range; else its place on the scale of 0 to 1, rounded to a whole number of the range. */
function numberLabel({ label, value, answer }: Pick<Score, 'value' | 'answer' | 'label'>, { range }: LabelMenu): Prediction {
  const [low, high] = range ?? [0, 1]
  const said = Number(label ?? answer ?? Number.NaN)
  if (label !== undefined && Number.isFinite(said) && said >= low && said <= high) return { kind: 'label', label: String(said) }
  return { kind: 'label', label: String(Math.round(low + (value ?? 0) * (high - low))) }
}
