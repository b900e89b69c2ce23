import type { Metric } from '../../../contract/catalog/benchmarks.schemas.ts'
import type { FrozenProfile } from '../../../contract/quotes/quotes.schemas.ts'
import { isBinaryScorer, isUnitScorer } from '../../grading/scorers/value-kind.ts'
import type { RunFrame } from './run-frame.ts'

/** A metric that the baseline has, and its number in each run that scored it in the same way. */
export interface PairedMetric {
  readonly metric: Metric
  /** In the order of the runs; null where a run lacks it, or has another scorer under its name. */
  readonly numbers: readonly (number | null)[]
  /** Whether its values are 0 or 1, by what its scorer is: runs that were graded before may have said otherwise. */
  readonly binary: boolean
  /** Whether its values are between 0 and 1. */
  readonly unit: boolean
}

/** A profile of the baseline with its counterparts. */
export interface Pairing {
  readonly profile: FrozenProfile
  /** By run; null where a run has no counterpart. */
  readonly counterparts: readonly (FrozenProfile | null)[]
  readonly profileNos: readonly (number | null)[]
  readonly metrics: readonly PairedMetric[]
  /** Place of the primary metric in `metrics`. */
  readonly primary: number
}

/**
 * Matches the profiles of every contender with the baseline's: the same profile, or else the only one left of the same source and
 * split. Metrics match when scorer, version and options are the same.
 * @param runs the baseline first
 */
export function pairProfiles(runs: readonly RunFrame[]): Pairing[] {
  const [baseline, ...contenders] = runs
  if (!baseline) return []
  const matches = contenders.map(contender => matchProfiles(baseline.profiles, contender.profiles))
  return baseline.profiles.map((profile, profileNo) => {
    const profileNos = [profileNo, ...matches.map(match => match[profileNo] ?? null)]
    const counterparts = profileNos.map((no, run) => (no === null ? null : (runs[run]?.profiles[no] ?? null)))
    return {
      profile,
      counterparts,
      profileNos,
      metrics: profile.metrics.map(metric => ({
        metric,
        numbers: counterparts.map(other => (other ? metricNumber(other, metric) : null)),
        binary: isBinaryScorer(metric),
        unit: isUnitScorer(metric),
      })),
      primary: Math.max(
        0,
        profile.metrics.findIndex(metric => metric.primary),
      ),
    }
  })
}

/** For each of the baseline's profiles the number of its counterpart. */
function matchProfiles(baseline: readonly FrozenProfile[], contender: readonly FrozenProfile[]): (number | null)[] {
  const taken = new Set<number>()
  const found = baseline.map(profile => {
    const same = contender.findIndex(other => other.profile_id === profile.profile_id)
    if (same >= 0) taken.add(same)
    return same >= 0 ? same : null
  })
  return found.map((no, i) => {
    const profile = baseline[i]
    if (no !== null || !profile) return no
    const isLike = (other: FrozenProfile) => other.source_ref === profile.source_ref && other.split === profile.split
    const free = contender.flatMap((other, j) => (!taken.has(j) && isLike(other) ? [j] : []))
    const rivals = baseline.filter((other, j) => found[j] === null && isLike(other))
    return free.length === 1 && rivals.length === 1 ? (free[0] ?? null) : null
  })
}

function metricNumber(profile: FrozenProfile, wanted: Metric): number | null {
  const found = profile.metrics.findIndex(metric => metric.id === wanted.id && isSameScoring(metric, wanted))
  return found < 0 ? null : found
}

export function isSameScoring(a: Metric, b: Metric): boolean {
  return a.scorer === b.scorer && a.scorer_version === b.scorer_version && sortedJson(a.options) === sortedJson(b.options)
}

function sortedJson(options: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1)))
}
