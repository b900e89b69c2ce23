/** The caller's mistake: an unknown scorer, options that do not fit, a pattern that cannot be compiled. Never about a model's text. */
export class ScorerConfigError extends Error {
  override readonly name = 'ScorerConfigError'
}
