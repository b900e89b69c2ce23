/** The text is not mathematics that can be read. */
export class MathParseError extends Error {
  override readonly name: string = 'MathParseError'

  /** Most outputs hold several things that are not mathematics, and to note where in the code that was found took longest of all. */
  constructor(message: string) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** The text asks for more work than a score is worth. */
export class MathLimitError extends MathParseError {
  override readonly name = 'MathLimitError'
}

/** The text is program code rather than mathematics: no other candidate is tried. */
export class MathUnsafeError extends MathParseError {
  override readonly name = 'MathUnsafeError'
}
