import type { Comparison } from '../contract/comparisons/comparisons.schemas.ts'
import type { PairedDifferenceProps } from './paired-difference.ts'

/** Levels of the intervals that the differences are drawn with: those of tests are at the level of their step in Holm's order. */
export function drawnLevels({ differences, options }: Comparison): readonly number[] {
  const levels = differences.flatMap(({ primary, interval }) => (primary && interval ? [interval.level] : []))
  return levels.length === 0 ? [options.level] : levels
}

/** The differences that a comparison's verdicts are about, a group for each contender; secondary metrics are in the tables beside it. */
export function comparisonDifferences({ differences, profiles, runs }: Comparison): PairedDifferenceProps {
  const titles = new Map(profiles.map(profile => [profile.profile_id, profile.title]))
  const contenders = runs.filter(run => !run.baseline)
  return {
    title: 'Differences from the baseline',
    baseline: runs.find(run => run.baseline)?.label ?? 'baseline',
    groups: contenders.map((run, series) => ({
      heading: contenders.length > 1 ? run.label : null,
      rows: differences
        .filter(({ primary, contender_id }) => primary && contender_id === run.id)
        .map(({ profile_id, title, metric_title, n, difference, interval, minimum_detectable_difference }) => ({
          label: titles.get(profile_id ?? '') ?? title,
          detail: metric_title,
          n,
          difference,
          low: interval?.low ?? null,
          high: interval?.high ?? null,
          detectable: minimum_detectable_difference,
          series,
        })),
    })),
  }
}
