/**
 * The standard error of a group of tasks from those of its tasks, pooled as lm-eval does:
 * sqrt( Σ (n_i-1) n_i SE_i² / (N-K) ) / sqrt(N) for K tasks of n_i samples, N in all.
 * @param errors standard error of each task, in the unit of the metric
 * @param sizes samples of each task
 */
export function pooledStandardError(errors: readonly number[], sizes: readonly number[]): number {
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const squares = errors.reduce((sum, error, i) => sum + ((sizes[i] ?? 0) - 1) * (sizes[i] ?? 0) * error ** 2, 0)
  return Math.sqrt(squares / (total - sizes.length) / total)
}
