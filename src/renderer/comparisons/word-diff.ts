/** A stretch of one text; `changed` where the other text does not have it. */
export interface DiffPart {
  readonly text: string
  readonly changed: boolean
}

export interface WordDiff {
  readonly left: readonly DiffPart[]
  readonly right: readonly DiffPart[]
  /** False where the texts were too long to compare word by word, so that everything between their ends counts as changed. */
  readonly exact: boolean
}

/** Cells of the table of a comparison; four million take some 8 MB and a few ten milliseconds. */
const mostCells = 4_000_000

/**
 * What two texts have in common and what not, by words, spaces and signs: the longest common subsequence of both (Wagner and
 * Fischer's table, O(n·m) time and memory), after their common beginning and end are set aside.
 *
 * @param limit Cells that the table may have; beyond it the middle is taken as changed as a whole.
 */
export function diffWords(left: string, right: string, limit = mostCells): WordDiff {
  const [a, b] = [tokens(left), tokens(right)]
  const start = commonStart(a, b)
  const end = commonEnd(a, b, start)
  const [middleA, middleB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  const exact = middleA.length * middleB.length <= limit
  const [keptA, keptB] = exact ? commonTokens(middleA, middleB) : [new Set<number>(), new Set<number>()]
  return {
    left: parts(a, index => isKept(index, start, a.length - end, keptA)),
    right: parts(b, index => isKept(index, start, b.length - end, keptB)),
    exact,
  }
}

/** Words with their marks, runs of blanks, and single signs; together they are the text. */
function tokens(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}\p{M}_]+|\s+|[^\p{L}\p{N}\p{M}_\s]/gu) ?? []
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  const most = Math.min(a.length, b.length)
  let count = 0
  while (count < most && a[count] === b[count]) count++
  return count
}

function commonEnd(a: readonly string[], b: readonly string[], start: number): number {
  const most = Math.min(a.length, b.length) - start
  let count = 0
  while (count < most && a[a.length - 1 - count] === b[b.length - 1 - count]) count++
  return count
}

/** Places of a longest common subsequence in both, by the lengths of the best ones of all their ends. */
function commonTokens(a: readonly string[], b: readonly string[]): readonly [Set<number>, Set<number>] {
  const width = b.length + 1
  // No subsequence is longer than the shorter text, and with at most four million cells that is below 65,536.
  const lengths = new Uint16Array((a.length + 1) * width)
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const [keptA, keptB] = [new Set<number>(), new Set<number>()]
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      keptA.add(i++)
      keptB.add(j++)
    } else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return [keptA, keptB]
}

function isKept(index: number, start: number, end: number, kept: ReadonlySet<number>): boolean {
  return index < start || index >= end || kept.has(index - start)
}

/** Neighbors of one kind as one part. */
function parts(all: readonly string[], isCommon: (index: number) => boolean): readonly DiffPart[] {
  const found: { text: string; changed: boolean }[] = []
  for (const [index, text] of all.entries()) {
    const changed = !isCommon(index)
    const last = found.at(-1)
    if (last?.changed === changed) last.text += text
    else found.push({ text, changed })
  }
  return found
}
