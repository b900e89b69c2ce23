import type { ReportSample } from '../report-sample.ts'
import { picturesOf } from './transcript.ts'

/** Among the samples that compete for the budget. */
interface Rank {
  readonly urgent: boolean
  readonly spread: number
}

/** Where a kept transcript lies, in bytes. */
interface TextPlace {
  readonly at: number
  readonly bytes: number
}

/** Where transcripts are kept until it is known which ones a report holds: by a process with little memory, in a file. */
export interface TextStore {
  readonly append: (text: Uint8Array) => TextPlace
  readonly read: (place: TextPlace) => Uint8Array
}

/** A transcript ready to be written. */
interface Candidate extends Rank {
  readonly position: number
  readonly place: TextPlace
  /** Digests of the pictures that it shows. */
  readonly pictures: readonly string[]
}

/**
 * Chooses which transcripts a report holds while samples stream by, within a budget of bytes. First come samples that a reader must
 * be able to check, those that failed or have no verdict and those on which metrics disagree; then all others, spread evenly over
 * the run. Only what may still be chosen is made.
 */
export class TranscriptSelection {
  private readonly budget: number
  private readonly texts: TextStore
  private candidates: Candidate[] = []
  private bytes = 0
  /** The best that fell out. The choice ends before it. */
  private end: Rank | null = null

  constructor(budgetBytes: number, texts: TextStore) {
    this.budget = budgetBytes
    this.texts = texts
  }

  offer(sample: ReportSample, render: () => string): void {
    const rank = { urgent: mustBeChecked(sample), spread: reverseBits(sample.position) }
    if (this.end && byRank(rank, this.end) > 0) return
    const place = this.texts.append(Buffer.from(render()))
    const pictures = sample.messages.flatMap(picturesOf).map(({ media }) => media)
    this.candidates.push({ ...rank, position: sample.position, place, pictures })
    this.bytes += place.bytes
    if (this.bytes > this.budget * 1.25) this.trim()
  }

  /** Places of the chosen ones by position, and the pictures that they show, each once. */
  chosen(): { readonly transcripts: readonly TextPlace[]; readonly pictures: readonly string[] } {
    this.trim()
    const chosen = this.candidates.toSorted((a, b) => a.position - b.position)
    return { transcripts: chosen.map(({ place }) => place), pictures: [...new Set(chosen.flatMap(({ pictures }) => pictures))] }
  }

  /** A transcript that is still kept. */
  read(place: TextPlace): string {
    return Buffer.from(this.texts.read(place)).toString()
  }

  /**
   * Keeps the longest run of candidates, by rank, that fits. A candidate that falls out could never come back, because more
   * candidates only push it further down, so the choice does not depend on when this is called.
   */
  private trim(): void {
    this.candidates.sort(byRank)
    let bytes = 0
    const kept = this.candidates.findIndex(candidate => {
      bytes += candidate.place.bytes
      return bytes > this.budget
    })
    if (kept !== -1) {
      const { urgent = false, spread = 0 } = this.candidates[kept] ?? {}
      this.end = { urgent, spread }
      this.candidates.length = kept
    }
    this.bytes = this.candidates.reduce((sum, { place }) => sum + place.bytes, 0)
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
