/** The log-likelihoods of a task's choices, in the order of the choices. */
export interface ChoiceLikelihoods {
  readonly choices: readonly string[]
  /** Of each choice after the context, in nats. */
  readonly conditional: readonly number[]
  /** Of each choice without the context, in nats; needed for `acc_mutual_info` only. */
  readonly unconditional?: readonly number[]
}

const encoder = new TextEncoder()

/**
 * lm-eval's accuracies: which choice is most likely as it is (`acc`), per character (`acc_norm`), per UTF-8 byte (`acc_bytes`) and
 * against its likelihood without the context (`acc_mutual_info`). The delimiter before a choice is not counted. The first of equals
 * wins, as with numpy.
 * @param golds positions of the right choices, any of which counts
 */
export function choiceAccuracies(likelihoods: ChoiceLikelihoods, golds: readonly number[]): Readonly<Record<string, number>> {
  const { choices, conditional, unconditional } = likelihoods
  const isGold = (scores: readonly number[]) => (golds.includes(bestPosition(scores)) ? 1 : 0)
  return {
    acc: isGold(conditional),
    acc_norm: isGold(conditional.map((value, i) => value / [...(choices[i] ?? '')].length)),
    acc_bytes: isGold(conditional.map((value, i) => value / encoder.encode(choices[i]).length)),
    ...(unconditional && { acc_mutual_info: isGold(conditional.map((value, i) => value - (unconditional[i] ?? 0))) }),
  }
}

/** The position of the largest value, the first of equals; -1 for none. */
export function bestPosition(values: readonly number[]): number {
  let best = -1
  for (const [i, value] of values.entries()) if (best < 0 || value > (values[best] ?? 0)) best = i
  return best
}
