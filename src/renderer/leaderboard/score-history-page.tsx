import './leaderboard.css'
import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type HistorySeries, ScoreHistoryPlot, scoreHistoryTable } from '../../charts/score-history-plot.ts'
import type { ScoreHistory, ScoreSeries } from '../../contract/runs/score-history.schemas.ts'
import { definedOf } from '../../lib/defined-of.ts'
import { profileName } from '../../lib/format/benchmark-names.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { call } from '../api/client.ts'
import { ChartFigure } from '../results/chart-figure.tsx'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { basisMark } from './standings.ts'

/** More lines than this cannot be told apart. */
const mostSeries = 8

function useScoreHistory(wanted: { readonly profile_id?: string; readonly model?: string }) {
  return useQuery({
    queryKey: ['runs', 'score-history', wanted],
    queryFn: async ({ signal }) => {
      const found = await call('getScoreHistory', { query: wanted }, { signal })
      const [first] = found.profiles
      return wanted.profile_id === undefined && first
        ? call('getScoreHistory', { query: { ...wanted, profile_id: first.profile_id } }, { signal })
        : found
    },
  })
}

/** Scores of each model on one benchmark in time, with the runs at which they have changed. */
export function ScoreHistoryPage() {
  const { get, set } = useAddress()
  const chosen = get('profile') || undefined
  const model = get('model') || undefined
  const wanted = definedOf({ profile_id: chosen, model })
  const query = useScoreHistory(wanted)
  return (
    <Page>
      <PageHeader
        title="Scores over time"
        parent={{ title: 'Leaderboard', to: '/leaderboard' }}
        description="Every run of a benchmark by model. A ring marks a run whose scores have left the interval of those before."
        actions={<RequestMenu operation="getScoreHistory" request={{ query: wanted }} />}
      />
      <QueryView query={query} failure="Couldn’t load the scores">
        {history =>
          history.profiles.length === 0 ? (
            <EmptyState
              title="No results yet"
              action={
                <Button component={Link} to="/quotes/new">
                  New run
                </Button>
              }
            >
              Finished runs appear here in the order of their ends.
            </EmptyState>
          ) : (
            <History history={history} chosen={chosen ?? history.profiles[0]?.profile_id ?? ''} model={model} onChange={set} />
          )
        }
      </QueryView>
    </Page>
  )
}

interface HistoryProps {
  readonly history: ScoreHistory
  readonly chosen: string
  readonly model: string | undefined
  readonly onChange: (changed: { readonly profile?: string; readonly model?: string | null }) => void
}

function History({ history: { profiles, series, older_runs: older }, chosen, model, onChange }: HistoryProps) {
  const shown = series.slice(0, mostSeries)
  const profile = profiles.find(({ profile_id: id }) => id === chosen)
  const title = `Scores of ${profile ? showHidden(profileName(profile)) : 'a benchmark'} over time`
  const lines = shown.map(one => lineOf(one, series.find(({ model }) => model === one.model) ?? one))
  const changes = series.flatMap(({ points }) => points.filter(({ change }) => change !== null)).length
  const undrawn = series.length - shown.length
  const unwatched = shown.filter(({ is_watched: isWatched }) => !isWatched).length
  return (
    <>
      <div className="row">
        <Select
          label="Benchmark"
          w={380}
          searchable
          data={profiles.map(one => ({ value: one.profile_id, label: `${profileName(one)} (${formatCount(one.runs)})` }))}
          value={chosen}
          onChange={value => value !== null && onChange({ profile: value })}
        />
        <Select
          label="Model"
          placeholder="All models"
          w={280}
          clearable
          searchable
          clearButtonProps={{ 'aria-label': 'Show all models' }}
          data={[...Map.groupBy(series, one => one.model)].map(([value, [first]]) => ({
            value,
            label: showHidden(first?.model_title ?? value),
          }))}
          value={model ?? null}
          onChange={value => onChange({ model: value })}
        />
      </div>
      <Section
        title={profile ? showHidden(profileName(profile)) : 'Scores'}
        aside={<span className="quiet small num">{changes === 1 ? '1 change' : `${formatCount(changes)} changes`}</span>}
      >
        <ChartFigure table={scoreHistoryTable({ title, series: lines })}>
          {width => <ScoreHistoryPlot title={title} series={lines} width={width} />}
        </ChartFigure>
        <p className="quiet small leaderboard-note">
          Runs of other tasks, another prompt, another scorer or other epochs have a line of their own. Changes are found by the detector of
          monitors, with one false alarm in 10,000 scores on average and a tolerance of 2 points.
          {unwatched > 0 ? ` The detector cannot watch the scores of ${linesInWords(unwatched)}.` : ''}
          {undrawn > 0 ? ` Not drawn: ${linesInWords(undrawn)} with fewer runs.` : ''}
          {older ? ' Only the newest 500 runs are read; choose a model for more of its own.' : ''}
        </p>
      </Section>
    </>
  )
}

function linesInWords(count: number): string {
  return count === 1 ? '1 line' : `${formatCount(count)} lines`
}

/** @param first line of the model, which is called by its name alone; the others say what is other than there */
function lineOf(line: ScoreSeries, first: ScoreSeries): HistorySeries {
  const mark = basisMark(line.basis, { settings: '', ...first.basis }) ?? 'Other epochs'
  return {
    label: line === first ? line.model_title : `${line.model_title} (${mark.toLowerCase()})`,
    points: line.points.flatMap(({ run_id: id, run_name: name, finished_at: at, estimate: { n, mean, interval }, change }) =>
      mean === null ? [] : [{ at: Date.parse(at), label: name, n, mean, interval, change, href: `/runs/${id}` }],
    ),
  }
}
