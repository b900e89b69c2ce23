import { Anchor, Button, Select } from '@mantine/core'
import { Link } from 'react-router'
import { IntervalPlot, type IntervalRow, intervalPlotTable } from '../../charts/interval-plot.ts'
import type { LeaderboardEntry } from '../../contract/runs/leaderboard.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatPercent } from '../../lib/format/percent.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { mostRuns } from '../comparisons/use-selection.ts'
import { ChartFigure } from '../results/chart-figure.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import type { LikeScores } from './standings.ts'

/** Models that were asked the same, the best first, with the baselines as lines that have no rank. */
export function Ranking({ groups }: { readonly groups: readonly LikeScores[] }) {
  const { get, set } = useAddress()
  const group = groups.find(({ id }) => id === get('group')) ?? groups[0]
  if (!group) return null
  const { models, baselines, name, profile } = group
  const title = `Scores on ${name}`
  const rows = models.map(entry => toRow(entry, entry.model_title))
  const references = baselines.flatMap(({ model_title: label, estimate: { mean } }) => (mean === null ? [] : [{ label, value: mean }]))
  const compared = models.slice(0, mostRuns)
  return (
    <Section
      title="Ranking"
      aside={
        <div className="row">
          <Button component={Link} to={`/leaderboard/history?profile=${encodeURIComponent(profile)}`} variant="default" size="compact-sm">
            Scores over time
          </Button>
          {compared.length < 2 ? null : (
            <Button
              component={Link}
              to={`/compare/new?runs=${compared.map(({ run_id: id }) => id).join(',')}`}
              variant="default"
              size="compact-sm"
            >
              Compare these{models.length > compared.length ? ` (best ${formatCount(compared.length)})` : ''}
            </Button>
          )}
        </div>
      }
    >
      <div className="row">
        <Select
          label="Same tasks, prompt, settings and scorer"
          size="xs"
          w={520}
          maw="100%"
          allowDeselect={false}
          searchable
          data={groups.map(({ id, name: label }) => ({ value: id, label: showHidden(label) }))}
          value={group.id}
          onChange={value => set({ group: value })}
        />
      </div>
      {rows.length === 0 ? (
        <p className="quiet leaderboard-note">No model has a score here yet, only baselines.</p>
      ) : (
        <ChartFigure table={intervalPlotTable({ title, rows })}>
          {width => <IntervalPlot title={title} rows={rows} references={references} width={width} />}
        </ChartFigure>
      )}
      {baselines.length === 0 ? null : (
        <p className="quiet small leaderboard-note">
          {rows.length === 0 ? 'Baselines: ' : 'Dashed lines, not ranked: '}
          {baselines.map(({ run_id: id, model_title: label, estimate }, i) => (
            <span key={id}>
              {i === 0 ? '' : ', '}
              <Anchor component={Link} to={`/runs/${id}`} inherit style={{ whiteSpace: 'nowrap' }}>
                <UntrustedText text={label} layout="prose" /> {formatPercent(estimate.mean)}
              </Anchor>
            </span>
          ))}
        </p>
      )}
    </Section>
  )
}

function toRow({ run_id: id, estimate, chance_level: chance, is_model }: LeaderboardEntry, label: string): IntervalRow {
  const { mean, interval, n } = estimate
  return {
    label,
    mean,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    n,
    chance,
    series: is_model ? 0 : 'baseline',
    href: `/runs/${id}`,
  }
}
