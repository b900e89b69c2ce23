import type { ReportSample } from '../report-sample.ts'
import { picturesOf } from './transcript.ts'

/** Among the samples that compete for the budget. */
interface Rank {
  readonly urgent: boolean
  readonly spread: number
}

/** A transcript ready to be written. */
interface Candidate extends Rank {
  readonly position: number
  /** UTF-8, outside the heap: in it, one character beyond Latin-1 would double a text, and collections would go through them all. */
  readonly html: Buffer
  /** Digests of the pictures that it shows. */
  readonly pictures: readonly string[]
}

/**
 * Chooses which transcripts a report holds while samples stream by, within a budget of bytes. First come samples that a reader must
 * be able to check, those that failed or have no verdict and those on which metrics disagree; then all others, spread evenly over
 * the run. At most a quarter more than the budget is ever held in memory, and only what may still be chosen is made.
 */
export class TranscriptSelection {
  private readonly budget: number
  private candidates: Candidate[] = []
  private bytes = 0
  /** The best that fell out. The choice ends before it. */
  private end: Rank | null = null

  constructor(budgetBytes: number) {
    this.budget = budgetBytes
  }

  offer(sample: ReportSample, render: () => string): void {
    const rank = { urgent: mustBeChecked(sample), spread: reverseBits(sample.position) }
    if (this.end && byRank(rank, this.end) > 0) return
    const text = render()
    const html = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
    html.write(text)
    const pictures = sample.messages.flatMap(picturesOf).map(({ media }) => media)
    this.candidates.push({ ...rank, position: sample.position, html, pictures })
    this.bytes += html.length
    if (this.bytes > this.budget * 1.25) this.trim()
  }

  /** The chosen ones by position, as UTF-8, and the pictures that they show, each once. */
  chosen(): { readonly transcripts: readonly Buffer[]; readonly pictures: readonly string[] } {
    this.trim()
    const chosen = this.candidates.toSorted((a, b) => a.position - b.position)
    return { transcripts: chosen.map(({ html }) => html), pictures: [...new Set(chosen.flatMap(({ pictures }) => pictures))] }
  }

  /**
   * Keeps the longest run of candidates, by rank, that fits. A candidate that falls out could never come back, because more
   * candidates only push it further down, so the choice does not depend on when this is called.
   */
  private trim(): void {
    this.candidates.sort(byRank)
    let bytes = 0
    const kept = this.candidates.findIndex(candidate => {
      bytes += candidate.html.length
      return bytes > this.budget
    })
    if (kept !== -1) {
      const { urgent = false, spread = 0 } = this.candidates[kept] ?? {}
      this.end = { urgent, spread }
      this.candidates.length = kept
    }
    this.bytes = this.candidates.reduce((sum, { html }) => sum + html.length, 0)
  }
}

function byRank(a: Rank, b: Rank): number {
  return Number(b.urgent) - Number(a.urgent) || a.spread - b.spread
}

/** Whether metrics gave a sample different values. */
export function disagrees(sample: ReportSample): boolean {
  const values = sample.score_details.flatMap(score => (score.value === null ? [] : [score.value]))
  return new Set(values).size > 1
}

function mustBeChecked(sample: ReportSample): boolean {
  return sample.status !== 'scored' || sample.passed === null || disagrees(sample)
}

/** The 32 bits of a position in reverse: any beginning of the positions sorted by it is spread evenly over the run. */
function reverseBits(position: number): number {
  let reversed = 0
  for (let bit = 0; bit < 32; bit += 1) reversed = reversed * 2 + (Math.floor(position / 2 ** bit) % 2)
  return reversed
}
