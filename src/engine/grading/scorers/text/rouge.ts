import { countNgrams, sharedNgrams, totalNgrams } from './ngrams.ts'
import { stemWord } from './stem-word.ts'

/** Words beyond this number would take the longest common subsequence seconds. */
const mostWords = 5000

export const rougeTypes = ['rouge1', 'rouge2', 'rougeL', 'rougeLsum'] as const
export type RougeType = (typeof rougeTypes)[number]

/**
 * F1 of ROUGE as rouge-score computes it: runs of ASCII letters and digits without case, stemmed on request where they are longer than
 * three. Lin (2004).
 * @throws RangeError above 5,000 words, where common subsequences are looked for
 */
export function rougeF1(type: RougeType, output: string, reference: string, isStemmed = false): number {
  if (type === 'rougeLsum') return summaryF1(linesOf(output, isStemmed), linesOf(reference, isStemmed))
  const [words, wanted] = [wordsOf(output, isStemmed), wordsOf(reference, isStemmed)]
  if (type === 'rougeL') return f1(lcsLength(words, wanted), words.length, wanted.length)
  const order = type === 'rouge1' ? 1 : 2
  const [counts, wantedCounts] = [countNgrams(words, order), countNgrams(wanted, order)]
  return f1(sharedNgrams(counts, wantedCounts), totalNgrams(counts), totalNgrams(wantedCounts))
}

function wordsOf(text: string, isStemmed: boolean): readonly string[] {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return isStemmed ? words.map(word => (word.length > 3 ? stemWord(word) : word)) : words
}

function linesOf(text: string, isStemmed: boolean): readonly (readonly string[])[] {
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => wordsOf(line, isStemmed))
}

function f1(shared: number, output: number, wanted: number): number {
  return shared === 0 ? 0 : (2 * shared) / (output + wanted)
}

/** Each line of the reference against all lines of the output: words in any of their common subsequences count, each once. */
function summaryF1(output: readonly (readonly string[])[], reference: readonly (readonly string[])[]): number {
  const [size, wantedSize] = [output.flat().length, reference.flat().length]
  requireShort(size, wantedSize)
  const left = countNgrams(output.flat(), 1)
  const wantedLeft = countNgrams(reference.flat(), 1)
  let hits = 0
  for (const line of reference) {
    const common = new Set(output.flatMap(own => commonPlaces(line, own)))
    for (const place of [...common].sort((a, b) => a - b)) {
      const word = line[place] ?? ''
      const [mine, wanted] = [left.get(word) ?? 0, wantedLeft.get(word) ?? 0]
      if (mine <= 0 || wanted <= 0) continue
      hits++
      left.set(word, mine - 1)
      wantedLeft.set(word, wanted - 1)
    }
  }
  return f1(hits, size, wantedSize)
}

function requireShort(...sizes: readonly number[]): void {
  const longest = Math.max(...sizes)
  if (longest > mostWords) throw new RangeError(`ROUGE-L reads at most ${mostWords} words; the longer text has ${longest}.`)
}

/** Words of the longest common subsequence. @throws RangeError above 5,000 words */
export function lcsLength(a: readonly string[], b: readonly string[]): number {
  requireShort(a.length, b.length)
  let previous = new Uint32Array(b.length + 1)
  let current = new Uint32Array(b.length + 1)
  for (const word of a) {
    for (let j = 1; j <= b.length; j++)
      current[j] = word === b[j - 1] ? (previous[j - 1] ?? 0) + 1 : Math.max(previous[j] ?? 0, current[j - 1] ?? 0)
    ;[previous, current] = [current, previous]
  }
  return previous[b.length] ?? 0
}

/** Places in `a` of one longest common subsequence: of several, the one with the latest words of `b`. */
function commonPlaces(a: readonly string[], b: readonly string[]): number[] {
  const width = b.length + 1
  const table = new Uint16Array((a.length + 1) * width)
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const at = i * width + j
      table[at] = a[i - 1] === b[j - 1] ? (table[at - width - 1] ?? 0) + 1 : Math.max(table[at - width] ?? 0, table[at - 1] ?? 0)
    }
  const places: number[] = []
  for (let i = a.length, j = b.length; i > 0 && j > 0; ) {
    const at = i * width + j
    if (a[i - 1] === b[j - 1]) {
      places.push(--i)
      j--
    } else if ((table[at - 1] ?? 0) > (table[at - width] ?? 0)) j--
    else i--
  }
  return places
}
