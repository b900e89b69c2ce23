import { comparisonDifferences } from '../../charts/comparison-differences.ts'
import { PairedDifference, pairedDifferenceTable } from '../../charts/paired-difference.ts'
import type { Comparison } from '../../contract/comparisons/comparisons.schemas.ts'
import { formatLevels } from '../../lib/format/percent.ts'
import { drawnLevels } from '../../charts/comparison-differences.ts'
import { ChartFigure } from '../results/chart-figure.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { ContenderChoice } from './contender-choice.tsx'
import { DifferencesTable } from './differences-table.tsx'
import { SecondViews } from './second-views.tsx'
import type { Contender } from './use-contender.ts'

/** Every paired difference: as a picture for all contenders, as figures for the chosen one. */
export function Differences({ comparison, contender }: { readonly comparison: Comparison; readonly contender: Contender }) {
  const plot = comparisonDifferences(comparison)
  const rows = comparison.differences.filter(difference => difference.contender_id === contender.chosen.id)
  return (
    <Section title="Paired differences">
      <ChartFigure table={pairedDifferenceTable(plot)}>{width => <PairedDifference {...plot} width={width} />}</ChartFigure>
      <p className="compare-note">
        Contender minus baseline on the tasks that both have a score for, with {formatLevels(drawnLevels(comparison))} intervals. The gray
        band is what these tasks could not have shown: a true difference inside it would be missed more than one time in five.
      </p>
      <ContenderChoice contender={contender} />
      <DifferencesTable rows={rows} names={profileNames(comparison.profiles)} contender={contender} />
      <SecondViews rows={rows} names={profileNames(comparison.profiles)} />
    </Section>
  )
}

/** Names by profile id. */
function profileNames(profiles: Comparison['profiles']): ReadonlyMap<string, string> {
  return new Map(profiles.map(profile => [profile.profile_id, profile.title]))
}
