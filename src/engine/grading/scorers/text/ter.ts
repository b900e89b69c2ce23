import { rstrip, splitWords } from '../python/strings.ts'
import { alignWords, type WordAlignment } from './word-alignment.ts'

const longestShift = 10
const farthestShift = 50
const mostCandidates = 1000
/** Words beyond this number would take seconds. */
const mostWords = 1000

/** What TER is computed from; over several texts both are added up. */
export interface TerCounts {
  readonly edits: number
  /** Mean length of the references. */
  readonly wanted: number
}

/**
 * Fewest edits and shifts to the closest reference, without case.
 * @throws RangeError above 1,000 words
 */
export function terCounts(output: string, references: readonly string[]): TerCounts {
  const words = tokens(output)
  const wanted = references.map(tokens)
  const longest = Math.max(words.length, ...wanted.map(({ length }) => length))
  if (longest > mostWords) throw new RangeError(`TER reads at most ${mostWords} words; the longest text has ${longest}.`)
  return {
    edits: Math.min(...wanted.map(reference => fewestEdits(words, reference))),
    wanted: wanted.reduce((sum, { length }) => sum + length, 0) / wanted.length,
  }
}

/** Edits per word of the references; 1 where there are edits and no words. Snover et al. (2006), as sacrebleu computes it. */
export function terRate({ edits, wanted }: TerCounts): number {
  return wanted > 0 ? edits / wanted : Math.min(1, edits)
}

function tokens(text: string): string[] {
  return splitWords(rstrip(text).toLowerCase())
}

/** Shifts the words that save most edits, one after the other while that helps. */
function fewestEdits(output: readonly string[], wanted: readonly string[]): number {
  if (wanted.length === 0) return output.length
  let words = output
  let alignment = alignWords(words, wanted)
  let shifts = 0
  for (let tried = 0; ; ) {
    const { best, candidates } = bestShift(words, wanted, alignment, tried)
    tried = candidates
    if (tried >= mostCandidates || !best || best.saved <= 0) return shifts + alignment.edits
    shifts++
    words = best.words
    alignment = best.alignment
  }
}

interface Shift {
  readonly saved: number
  readonly length: number
  readonly from: number
  readonly to: number
  readonly words: readonly string[]
  readonly alignment: WordAlignment
}

function bestShift(words: readonly string[], wanted: readonly string[], alignment: WordAlignment, tried: number) {
  const { places, wantedErrors, outputErrors } = alignment
  let best: Shift | null = null
  let candidates = tried
  for (const { from, at, length } of sharedRuns(words, wanted)) {
    // Only where the words are wrong on both sides, and are not there already.
    if (!outputErrors.slice(from, from + length).includes(true) || !wantedErrors.slice(at, at + length).includes(true)) continue
    const place = places[at] ?? -1
    if (place >= from && place < from + length) continue
    let last = -1
    for (let offset = -1; offset < length; offset++) {
      const aligned = places[at + offset]
      if (at + offset >= 0 && aligned === undefined) break
      const to = aligned === undefined ? 0 : aligned + 1
      if (to === last) continue
      last = to
      const shifted = shift(words, from, length, to)
      const next = alignWords(shifted, wanted)
      const found = { saved: alignment.edits - next.edits, length, from, to, words: shifted, alignment: next }
      candidates++
      if (!best || isBetter(found, best)) best = found
    }
    if (candidates >= mostCandidates) break
  }
  return { best, candidates }
}

/** As Tercom ranks them: most edits saved, then the longest, the earliest, and the earliest target. */
function isBetter(a: Shift, b: Shift): boolean {
  return (a.saved - b.saved || a.length - b.length || b.from - a.from || b.to - a.to) > 0
}

function shift(words: readonly string[], from: number, length: number, to: number): string[] {
  const moved = words.slice(from, from + length)
  const rest = [...words.slice(0, from), ...words.slice(from + length)]
  // A target within the words themselves moves them on by as much.
  const at = to < from ? to : to > from + length ? to - length : to
  return [...rest.slice(0, at), ...moved, ...rest.slice(at)]
}

/** Runs of words that both lists have, not too far apart: every length of each. */
function* sharedRuns(words: readonly string[], wanted: readonly string[]) {
  for (let from = 0; from < words.length; from++) {
    for (let at = Math.max(0, from - farthestShift); at < Math.min(wanted.length, from + farthestShift + 1); at++) {
      for (let length = 1; length <= longestShift && from + length <= words.length && at + length <= wanted.length; length++) {
        if (words[from + length - 1] !== wanted[at + length - 1]) break
        yield { from, at, length }
      }
    }
  }
}
