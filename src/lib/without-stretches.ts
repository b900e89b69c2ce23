/** A text without its stretches from the first opening to the next closing, in time that grows with its length. @param closing a global pattern */
export function withoutStretches(text: string, opening: RegExp, closing: RegExp): string {
  let [rest, from] = ['', 0]
  for (const { 0: mark, index } of text.matchAll(closing)) {
    const part = text.slice(from, index)
    const at = part.search(opening)
    rest += at < 0 ? `${part}${mark}` : part.slice(0, at)
    from = index + mark.length
  }
  return rest + text.slice(from)
}
