/** Of a longer text its beginning counts: two texts alike for so long are the same for whoever reads them. */
const comparedCharacters = 200

/** Looked at this often at most; only text made for it, such as one letter a million times, needs more. */
const mostLookups = 20_000_000

export interface Occurring {
  readonly found: ReadonlySet<string>
  /** Whether every text was searched to its end. */
  readonly isWhole: boolean
}

/**
 * Which of many wanted texts occur in others, in one pass over each, so that its time grows with the texts and not with their product.
 * @param wanted each of `shortest` characters or more
 */
export function occurring(wanted: ReadonlySet<string>, texts: Iterable<string>, shortest: number, lookupsAllowed = mostLookups): Occurring {
  const found = new Set<string>()
  if (wanted.size === 0) return { found, isWhole: true }
  const byStart = new Map<string, string[]>()
  const lengths = new Map<string, Set<number>>()
  const bits = Math.min(24, Math.max(10, Math.ceil(Math.log2(wanted.size * 16))))
  const mask = 2 ** bits - 1
  const heads = new Uint8Array(2 ** bits)
  for (const text of wanted) {
    const start = text.slice(0, comparedCharacters)
    const head = text.slice(0, shortest)
    byStart.set(start, [...(byStart.get(start) ?? []), text])
    lengths.set(head, (lengths.get(head) ?? new Set()).add(start.length))
    let hash = 0
    for (let i = 0; i < shortest; i++) hash = rolled(hash, head.charCodeAt(i))
    heads[slot(hash, mask)] = 1
  }
  let lookups = 0
  for (const text of texts) {
    let hash = 0
    for (let end = 0; end < text.length; end++) {
      hash = rolled(hash, text.charCodeAt(end))
      const from = end - shortest + 1
      if (from < 0 || heads[slot(hash, mask)] === 0) continue
      for (const length of lengths.get(text.slice(from, end + 1)) ?? []) {
        if (++lookups > lookupsAllowed) return { found, isWhole: false }
        for (const one of byStart.get(text.slice(from, from + length)) ?? []) found.add(one)
      }
    }
  }
  return { found, isWhole: true }
}

/** Four bits a character: of 32 bits only the last 8 characters remain. */
function rolled(hash: number, code: number): number {
  return (hash << 4) ^ code
}

function slot(hash: number, mask: number): number {
  return (hash ^ (hash >>> 15)) & mask
}
