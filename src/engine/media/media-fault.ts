/** Why bytes are not taken as media. The message says what they are and what to do. */
export class MediaFault extends Error {
  override readonly name = 'MediaFault'
}
