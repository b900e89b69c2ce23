import { useSearchParams } from 'react-router'
import { PairedDifference, type PairedDifferenceProps, pairedDifferenceTable } from '../../charts/paired-difference.ts'
import type { Comparison } from '../../contract/comparisons/comparisons.schemas.ts'
import { namedMethods } from '../../lib/format/interval-methods.ts'
import { ChartFigure } from '../results/chart-figure.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { type BreakdownPart, formatPart } from '../samples/breakdown-part.ts'
import type { Contender } from './use-contender.ts'

interface DifferenceBreakdownsProps {
  readonly comparison: Comparison
  readonly contender: Contender
}

/** Where the difference comes from: by every facet that the tasks have. */
export function DifferenceBreakdowns({ comparison, contender }: DifferenceBreakdownsProps) {
  const { chosen, baseline, seriesOf } = contender
  const [params] = useSearchParams()
  const addressOf = (profile: string, part: BreakdownPart): { href?: string } => {
    const text = formatPart(part)
    if (text === undefined) return {}
    const query = new URLSearchParams(params)
    if (comparison.profiles.length > 1) query.set('profile', profile)
    query.set('part', text)
    query.delete('open')
    query.delete('task')
    return { href: `?${query}` }
  }
  const shown = comparison.breakdowns.filter(row => row.contender_id === chosen.id)
  const plots = comparison.profiles.flatMap(profile => {
    const rows = shown.filter(row => row.profile_id === profile.profile_id && row.metric === profile.metric)
    if (rows.length === 0) return []
    const plot: PairedDifferenceProps = {
      title: `${profile.title}: ${chosen.label} by part`,
      baseline: baseline.label,
      groups: [...Map.groupBy(rows, row => row.dimension)].map(([heading, parts]) => ({
        heading,
        rows: parts.map(({ value, n, difference, interval }) => ({
          label: `${value} (n = ${n})`,
          n,
          difference,
          low: interval?.low ?? null,
          high: interval?.high ?? null,
          series: seriesOf(chosen.id),
          ...addressOf(profile.profile_id, { dimension: heading, value }),
        })),
      })),
    }
    return [{ key: profile.profile_id, plot }]
  })
  if (plots.length === 0) return null
  return (
    <Section title="Where it comes from">
      {plots.map(({ key, plot }) => (
        <ChartFigure key={key} table={pairedDifferenceTable(plot)}>
          {width => <PairedDifference {...plot} width={width} />}
        </ChartFigure>
      ))}
      <p className="compare-note">
        For exploring, not for claims: parts are small, and among many of them some differ by chance alone.{namedMethods(shown)}
      </p>
    </Section>
  )
}
