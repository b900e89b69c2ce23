/** Cells of each row that are computed on either side of the diagonal, as in Tercom. */
const beam = 25

type Step = 'keep' | 'replace' | 'insert' | 'delete'

/** How a list of words becomes another with the fewest edits. */
export interface WordAlignment {
  readonly edits: number
  /** For each word of the reference the place in the output that it is aligned with, -1 before the first. */
  readonly places: readonly number[]
  /** Whether each word of the reference, and of the output, takes part in an edit. */
  readonly wantedErrors: readonly boolean[]
  readonly outputErrors: readonly boolean[]
}

/** Fewest insertions, deletions and replacements of whole words, near the diagonal. */
export function alignWords(output: readonly string[], wanted: readonly string[]): WordAlignment {
  const width = wanted.length + 1
  const ratio = output.length > 0 ? wanted.length / output.length : 1
  const reach = beam < ratio / 2 ? Math.ceil(ratio / 2 + beam) : beam
  const costs = new Float64Array((output.length + 1) * width).fill(Infinity)
  const steps = new Uint8Array((output.length + 1) * width)
  for (let j = 0; j < width; j++) {
    costs[j] = j
    steps[j] = 2
  }
  for (let i = 1; i <= output.length; i++) {
    const diagonal = Math.floor(i * ratio)
    const to = i === output.length ? width : Math.min(width, diagonal + reach)
    for (let j = Math.max(0, diagonal - reach); j < to; j++) {
      const at = i * width + j
      const above = costs[at - width] ?? Infinity
      const same = j > 0 && output[i - 1] === wanted[j - 1]
      const across = j > 0 ? (costs[at - width - 1] ?? Infinity) + (same ? 0 : 1) : Infinity
      const left = j > 0 ? (costs[at - 1] ?? Infinity) + 1 : Infinity
      // Of equals: keep or replace, then leave out a word of the output, then add one.
      const best = Math.min(across, above + 1, left)
      costs[at] = best
      steps[at] = best === across ? (same ? 0 : 1) : best === above + 1 ? 3 : 2
    }
  }
  return traced(steps, width, output.length, wanted.length, costs.at(-1) ?? 0)
}

const named: readonly Step[] = ['keep', 'replace', 'insert', 'delete']

function traced(steps: Uint8Array, width: number, rows: number, columns: number, edits: number): WordAlignment {
  const path: Step[] = []
  for (let i = rows, j = columns; i > 0 || j > 0; ) {
    const step = named[steps[i * width + j] ?? 2] ?? 'insert'
    path.push(step)
    if (step !== 'insert') i--
    if (step !== 'delete') j--
  }
  const places: number[] = []
  const wantedErrors: boolean[] = []
  const outputErrors: boolean[] = []
  for (const step of path.toReversed()) {
    if (step !== 'insert') outputErrors.push(step !== 'keep')
    if (step === 'delete') continue
    places.push(outputErrors.length - 1)
    wantedErrors.push(step !== 'keep')
  }
  return { edits, places, wantedErrors, outputErrors }
}
