/** Below so many steps at worst, the engine's own search is the fastest. */
const fewSteps = 4_000_000

/**
 * Whether a text holds a part. The engine's search compares all of the part at every place, which on texts made for it takes as many steps as
 * both lengths multiplied; this takes as many as both added.
 */
export function includesText(text: string, part: string): boolean {
  if (text.length * part.length <= fewSteps) return text.includes(part)
  return !placesOf(text, part).next().done
}

/** The same for replacing every occurrence. */
export function replaceText(text: string, part: string, by: string): string {
  if (part === '') return text
  if (text.length * part.length <= fewSteps) return text.replaceAll(part, () => by)
  let result = ''
  let from = 0
  for (const place of placesOf(text, part)) {
    if (place < from) continue
    result += text.slice(from, place) + by
    from = place + part.length
  }
  return result + text.slice(from)
}

/** Where the part begins, by the algorithm of Knuth, Morris and Pratt. */
function* placesOf(text: string, part: string): Generator<number, undefined> {
  const fallback = new Int32Array(part.length)
  for (let i = 1, same = 0; i < part.length; i++) {
    while (same > 0 && part.charCodeAt(i) !== part.charCodeAt(same)) same = fallback[same - 1] ?? 0
    if (part.charCodeAt(i) === part.charCodeAt(same)) same++
    fallback[i] = same
  }
  for (let i = 0, same = 0; i < text.length; i++) {
    while (same > 0 && text.charCodeAt(i) !== part.charCodeAt(same)) same = fallback[same - 1] ?? 0
    if (text.charCodeAt(i) === part.charCodeAt(same)) same++
    if (same < part.length) continue
    yield i - part.length + 1
    same = fallback[same - 1] ?? 0
  }
}
