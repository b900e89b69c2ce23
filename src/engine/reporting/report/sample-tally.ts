import { outcomeCodes } from '../../../contract/runs/samples.schemas.ts'
import type { Metric } from '../../../contract/catalog/benchmarks.schemas.ts'
import type { FrozenProfile } from '../../../contract/quotes/quotes.schemas.ts'
import { NumberColumn } from './number-column.ts'
import type { ReportSample } from './report-sample.ts'

/** Samples whose letters become one text. */
const lettersTogether = 4096

/** On how many samples the primary metric and another one, both of right or wrong, agree. */
export interface Agreement {
  readonly other: Metric
  both: number
  onlyPrimary: number
  onlyOther: number
  neither: number
}

export interface ProfileTally {
  readonly profile: FrozenProfile
  readonly primary: Metric | undefined
  readonly agreements: readonly Agreement[]
  /** Mean of the primary metric after each scored sample. */
  readonly means: NumberColumn
  sum: number
}

/**
 * What the charts of a report need from samples that stream by once: a few numbers per sample, so that 100,000 of them are some
 * megabytes.
 */
export class SampleTally {
  readonly latencies = new NumberColumn()
  readonly outputTokens = new NumberColumn()
  /** Samples by letter of `outcomeCodes`. */
  readonly counts = new Map<string, number>()
  private letters: string[] = []
  private codesSoFar: string[] = []
  readonly profiles: readonly ProfileTally[]
  samples = 0

  constructor(profiles: readonly FrozenProfile[]) {
    this.profiles = profiles.map(profileTally)
  }

  add(sample: ReportSample): void {
    this.samples += 1
    if (sample.latency_ms !== null) this.latencies.push(sample.latency_ms)
    if (sample.output_tokens !== null) this.outputTokens.push(sample.output_tokens)
    const tally = this.profiles.find(one => one.profile.profile_id === sample.profile_id)
    const primary = valueOf(sample, tally?.primary)
    const code = outcomeOf(sample.status, primary)
    this.counts.set(code, (this.counts.get(code) ?? 0) + 1)
    if (this.letters.push(code) === lettersTogether) this.joinLetters()
    if (tally === undefined || primary === null) return
    tally.sum += primary
    tally.means.push(tally.sum / (tally.means.values.length + 1))
    for (const agreement of tally.agreements) {
      const other = valueOf(sample, agreement.other)
      if (other !== null) agreement[cellOf(primary === 1, other === 1)] += 1
    }
  }

  /** A letter of `outcomeCodes` per sample. */
  codes(): string {
    this.joinLetters()
    return this.codesSoFar.join('')
  }

  /** One byte per sample; in a list, each has eight. */
  private joinLetters(): void {
    this.codesSoFar.push(this.letters.join(''))
    this.letters = []
  }
}

function profileTally(profile: FrozenProfile): ProfileTally {
  const primary = profile.metrics.find(metric => metric.primary)
  const others = primary?.binary === true ? profile.metrics.filter(metric => metric.binary && metric !== primary) : []
  return {
    profile,
    primary,
    agreements: others.map(other => ({ other, both: 0, onlyPrimary: 0, onlyOther: 0, neither: 0 })),
    means: new NumberColumn(),
    sum: 0,
  }
}

function valueOf(sample: ReportSample, metric: Metric | undefined): number | null {
  return sample.score_details.find(score => score.metric === metric?.id)?.value ?? null
}

function cellOf(primary: boolean, other: boolean): 'both' | 'onlyPrimary' | 'onlyOther' | 'neither' {
  if (primary) return other ? 'both' : 'onlyPrimary'
  return other ? 'onlyOther' : 'neither'
}

/** The same as the list of samples and the strip on the run's page say of it. */
export function outcomeOf(status: ReportSample['status'], value: number | null): string {
  if (status === 'failed') return outcomeCodes.failed
  if (status !== 'scored') return outcomeCodes.missing
  if (value === null) return outcomeCodes.unscored
  if (value >= 1) return outcomeCodes.correct
  return value <= 0 ? outcomeCodes.wrong : outcomeCodes.partial
}
