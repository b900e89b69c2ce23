/** The rules of a release policy that a candidate without a single fault passes from some number of tasks on. */
export type CountableRule =
  | { readonly kind: 'min_score'; readonly threshold: number }
  | { readonly kind: 'max_error_rate'; readonly threshold: number }
  | { readonly kind: 'max_latency'; readonly quantile: number }

/**
 * Least n at which n faultless tasks pass a rule by its one-sided bound at α: rateⁿ ≤ α (Clopper–Pearson and order statistics agree there).
 * Null where no number of tasks does.
 */
export function fewestTasks(rule: CountableRule, alpha: number): number | null {
  const rate = rule.kind === 'min_score' ? rule.threshold : rule.kind === 'max_latency' ? rule.quantile : 1 - rule.threshold
  if (rate >= 1) return null
  return rate <= 0 ? 1 : Math.max(1, Math.ceil(Math.log(alpha) / Math.log(rate) - 1e-9))
}

/** α of the k-th attempt at the same question under `spend`: its sum over all attempts is α. */
export function spentAlpha(alpha: number, attempt: number): number {
  return (6 * alpha) / (Math.PI ** 2 * attempt ** 2)
}
