/** How texts are taken apart and compared. */
export interface ShingleForm {
  /** Words of a shingle: fewer would take texts for similar that only share phrases. */
  readonly words: number
  /** Bands of a signature, each of four hash functions: texts that agree in one band are compared exactly. */
  readonly bands: number
  /** What counts as a word. */
  readonly word: RegExp
}

const usualForm: ShingleForm = { words: 3, bands: 16, word: /[\p{L}\p{N}]+/gu }

const rows = 4
/** From this share of common shingles on, texts are near duplicates. */
export const nearDuplicateFrom = 0.8
/** Texts that one text is compared with at most, so that a thousand equal texts stay fast. */
const mostCompared = 50

export interface NearDuplicate {
  /** Places among the texts, from 0; `of` comes before `index`. */
  readonly index: number
  readonly of: number
  /** Jaccard similarity of their shingles. */
  readonly similarity: number
}

/**
 * For each text the most similar one before it, where that is a near duplicate. MinHash signatures in bands find candidates: with 16
 * bands of 4, texts with a similarity of 0.8 meet with probability 0.9998. Candidates are then compared exactly.
 * Source: Broder 1997; Leskovec, Rajaraman & Ullman, "Mining of Massive Datasets", 3.4.
 */
export function findNearDuplicates(texts: Iterable<string>, form: ShingleForm = usualForm): NearDuplicate[] {
  const { bands } = form
  const buckets = Array.from({ length: bands }, () => new Map<number, number[]>())
  const signature = new Uint32Array(bands * rows)
  const sets: Uint32Array[] = []
  const found: NearDuplicate[] = []
  for (const text of texts) {
    const index = sets.length
    const shingles = shinglesOf(text, form)
    sets.push(shingles)
    minHashes(shingles, signature)
    const candidates = new Set<number>()
    for (const [band, bucket] of buckets.entries()) {
      const key = bandKey(signature, band)
      const others = bucket.get(key)
      if (!others) bucket.set(key, [index])
      else {
        for (const other of others) if (candidates.size < mostCompared) candidates.add(other)
        if (others.length < mostCompared) others.push(index)
      }
    }
    let best: NearDuplicate | null = null
    for (const of of candidates) {
      const similarity = jaccard(shingles, sets[of] ?? new Uint32Array())
      if (similarity >= nearDuplicateFrom && similarity > (best?.similarity ?? 0)) best = { index, of, similarity }
    }
    if (best) found.push(best)
  }
  return found
}

/** Hashes of every few words in a row, ascending, each once. Case and what is not a word make no difference. */
function shinglesOf(text: string, { words: shingleWords, word: pattern }: ShingleForm): Uint32Array {
  const words = text.toLowerCase().match(pattern) ?? []
  const count = Math.max(1, words.length - shingleWords + 1)
  const hashes = new Set<number>()
  for (let i = 0; i < count; i++) {
    let hash = 0x811c9dc5
    for (const word of words.slice(i, i + shingleWords)) hash = hashText(word, hash)
    hashes.add(hash >>> 0)
  }
  return Uint32Array.from(hashes).sort()
}

/** FNV-1a over UTF-16 units, and one step for the end of the word. */
function hashText(text: string, from: number): number {
  let hash = from
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return Math.imul(hash ^ 0x20, 0x01000193)
}

function minHashes(shingles: Uint32Array, signature: Uint32Array): void {
  signature.fill(0xffffffff)
  for (const shingle of shingles) {
    for (let i = 0; i < signature.length; i++) {
      const hash = mixed(shingle ^ Math.imul(i + 1, 0x9e3779b1))
      if (hash < (signature[i] ?? 0)) signature[i] = hash
    }
  }
}

/** The finalizer of MurmurHash3. */
function mixed(value: number): number {
  let hash = value
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

function bandKey(signature: Uint32Array, band: number): number {
  let key = 0
  for (let i = band * rows; i < (band + 1) * rows; i++) key = mixed(key ^ (signature[i] ?? 0))
  return key
}

/** Of two ascending lists without repetitions. */
function jaccard(a: Uint32Array, b: Uint32Array): number {
  let [i, j, common] = [0, 0, 0]
  while (i < a.length && j < b.length) {
    const [left = 0, right = 0] = [a[i], b[j]]
    if (left === right) common++
    if (left <= right) i++
    if (right <= left) j++
  }
  return common / (a.length + b.length - common)
}
