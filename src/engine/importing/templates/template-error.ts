/** A template cannot be read, or not be filled with these values. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
}

/** How two tools that share the notation differ. */
export interface Dialect {
  /** What a value prints as. */
  readonly show: (value: unknown) => string
  /** What counts as true in a condition. */
  readonly isTruthy: (value: unknown) => boolean
  /** What "==" compares. */
  readonly isSame: (first: unknown, second: unknown) => boolean
  /** Whether a name without a value prints as nothing instead of being an error. */
  readonly lenient: boolean
}
