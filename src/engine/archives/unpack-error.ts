/** What is packed is damaged, cut off, or packed in a way that is not read. */
export class UnpackError extends Error {
  override readonly name = 'UnpackError'
  /** The command that reads it nevertheless. */
  readonly cure: string | null

  constructor(message: string, cure: string | null = null) {
    super(message)
    this.cure = cure
  }
}
