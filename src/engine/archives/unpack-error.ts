/** What is packed is damaged, cut off, or packed in a way that is not read. */
export class UnpackError extends Error {
  override readonly name = 'UnpackError'
}
