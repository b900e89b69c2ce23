import { Anchor, Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { IntervalPlot, type IntervalRow, intervalPlotTable } from '../../charts/interval-plot.ts'
import type { LeaderboardEntry } from '../../contract/runs/leaderboard.schemas.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatPercent } from '../../lib/format/percent.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { mostRuns } from '../comparisons/use-selection.ts'
import { ChartFigure } from '../results/chart-figure.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { pinnedRunsQuery } from './leaderboard.queries.ts'
import type { LikeScores } from './standings.ts'

/** Models that were asked the same, the best first, with the baselines as lines that have no rank. */
export function Ranking({ groups }: { readonly groups: readonly LikeScores[] }) {
  const { get, set } = useAddress()
  const group = groups.find(({ id }) => id === get('group')) ?? groups[0]
  return group ? <RankedGroup group={group} groups={groups} onChange={id => set({ group: id })} /> : null
}

interface RankedGroupProps {
  readonly group: LikeScores
  readonly groups: readonly LikeScores[]
  readonly onChange: (id: string | null) => void
}

function RankedGroup({ group, groups, onChange }: RankedGroupProps) {
  const { models, baselines, name, profile } = group
  const title = `Scores on ${name}`
  const rows = models.map(entry => toRow(entry, entry.model_title))
  const references = baselines.flatMap(({ model_title: label, estimate: { mean } }) => (mean === null ? [] : [{ label, value: mean }]))
  const pinned = usePinned(group)
  const compared = [...new Set([...(pinned ? [pinned.id] : []), ...models.map(({ run_id: id }) => id)])].slice(0, mostRuns)
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
              to={`/compare/new?runs=${compared.join(',')}${pinned ? `&baseline=${pinned.id}` : ''}`}
              variant="default"
              size="compact-sm"
            >
              Compare these
              {pinned ? ' with the pinned baseline' : models.length > compared.length ? ` (best ${formatCount(compared.length)})` : ''}
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
          searchable
          data={groups.map(({ id, name: label }) => ({ value: id, label: showHidden(label) }))}
          value={group.id}
          onChange={onChange}
        />
      </div>
      {rows.length === 0 ? (
        <p className="quiet leaderboard-note">No model has a score here yet, only baselines.</p>
      ) : (
        <ChartFigure table={intervalPlotTable({ title, rows })}>
          {width => <IntervalPlot title={title} rows={rows} references={references} width={width} />}
        </ChartFigure>
      )}
      {pinned ? (
        <p className="quiet small leaderboard-note">
          Pinned baseline:{' '}
          <Anchor component={Link} to={`/runs/${pinned.id}`} inherit>
            <UntrustedText text={pinned.name} layout="prose" />
          </Anchor>
        </p>
      ) : null}
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

/** The newest pinned baseline over the profile of a group; undefined for none. */
function usePinned({ profile }: LikeScores): Run | undefined {
  const [slug = ''] = profile.split('@')
  return useQuery(pinnedRunsQuery(slug)).data?.find(({ profiles }) => profiles.some(({ profile_id: id }) => id === profile))
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
