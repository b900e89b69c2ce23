/** The text is no mathematics that can be read. */
export class MathParseError extends Error {
  override readonly name: string = 'MathParseError'
}

/** The text asks for more work than a score is worth. */
export class MathLimitError extends MathParseError {
  override readonly name = 'MathLimitError'
}

/** The text is program code rather than mathematics: no other candidate is tried. */
export class MathUnsafeError extends MathParseError {
  override readonly name = 'MathUnsafeError'
}
