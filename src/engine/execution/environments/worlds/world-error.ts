/** A world failed, and not the model in it: the episode ends without a verdict. Its message is for people. */
export class WorldError extends Error {
  override readonly name = 'WorldError'
}
