import { Button, Checkbox, Group, MultiSelect, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { IntervalPlot, intervalPlotTable } from '../../charts/interval-plot.ts'
import type { ModelRanking, NewRanking } from '../../contract/comparisons/rankings.schemas.ts'
import { csvRow } from '../../lib/csv.ts'
import { saveText } from '../api/download.ts'
import { ChartFigure } from '../results/chart-figure.tsx'
import { checkField } from '../ui/forms/fields.ts'
import { FileDrop } from '../ui/forms/file-drop.tsx'
import { notifyFailed } from '../ui/page/notify.ts'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useJudgedPairs, useRanking } from './compare.queries.ts'
import { battlesToSend, readBattles } from './read-battles.ts'

type Method = NewRanking['method']
type Ranked = ModelRanking['models'][number]

interface Battles {
  readonly name: string
  readonly battles: NewRanking['battles']
}

const columns: readonly Column<Ranked>[] = [
  { id: 'rank', title: 'Rank', width: 70, align: 'end', cell: ({ rank }) => rank ?? '–' },
  {
    id: 'model',
    title: 'Model',
    width: 200,
    grow: true,
    rowHeader: true,
    cell: ({ model }) => <UntrustedText text={model} layout="inline" />,
  },
  { id: 'rating', title: 'Rating', width: 90, align: 'end', cell: ({ rating }) => Math.round(rating) },
  { id: 'interval', title: '95 % interval', width: 130, align: 'end', cell: ({ interval }) => points(interval) },
  { id: 'battles', title: 'Battles', width: 90, align: 'end', cell: ({ battles }) => battles },
  { id: 'record', title: 'Won / tied / lost', width: 150, align: 'end', cell: ({ wins, ties, losses }) => `${wins} / ${ties} / ${losses}` },
]

function points(interval: Ranked['interval']): string {
  return interval ? interval.map(Math.round).join(' to ') : '–'
}

/** Ratings of models from a file of pairwise preferences and from what pairwise evaluators decided. Nothing is stored. */
export function RankModelsPage() {
  const [given, setGiven] = useState<Battles | null>(null)
  const [judged, setJudged] = useState<string[]>([])
  const [method, setMethod] = useState<Method>('bradley_terry')
  const [hasStyle, setHasStyle] = useState(false)
  const ranking = useRanking()
  const styles = given ? Object.keys(given.battles[0]?.style ?? {}) : judged.length > 0 ? ['characters'] : []
  const choose = async (files: File[]): Promise<void> => {
    const [file] = files
    if (!file) return
    ranking.reset()
    try {
      setGiven({ name: file.name, battles: readBattles(await file.text()) })
    } catch (error) {
      setGiven(null)
      notifyFailed('Couldn’t read the battles', error)
    }
  }
  const rank = () => {
    const isStyled = hasStyle && styles.length > 0 && method === 'bradley_terry'
    try {
      ranking.mutate({
        battles: battlesToSend(given?.battles ?? [], isStyled || method === 'elo'),
        calibration_ids: judged,
        method,
        style_control: isStyled,
      })
    } catch (error) {
      notifyFailed('Couldn’t rank the models', error)
    }
  }
  return (
    <Page layout="flow">
      <PageHeader
        title="Rank models"
        parent={{ title: 'Compare', to: '/compare' }}
        description="Bradley–Terry or Elo ratings with intervals, from a file of pairwise preferences and from pairwise evaluators."
      />
      <FileDrop
        label="Drop a CSV or JSON file of battles here, or choose it"
        hint="model_a, model_b and winner (model_a, model_b or tie); style as tokens_a and tokens_b"
        multiple={false}
        onFiles={files => void choose(files)}
      />
      <JudgedField
        value={judged}
        onChange={ids => {
          ranking.reset()
          setJudged(ids)
        }}
      />
      {given || judged.length > 0 ? (
        <Group>
          {given ? (
            <span className="num">
              <UntrustedText text={given.name} layout="inline" />, {given.battles.length} battles
            </span>
          ) : null}
          <SegmentedControl<Method>
            aria-label="Method"
            value={method}
            onChange={setMethod}
            data={[
              { value: 'bradley_terry', label: 'Bradley–Terry' },
              { value: 'elo', label: 'Elo' },
            ]}
          />
          {styles.length > 0 ? (
            <Checkbox label={`Style control (${styles.join(', ')})`} disabled={method === 'elo'} {...checkField(hasStyle, setHasStyle)} />
          ) : null}
          <Button onClick={rank} loading={ranking.isPending}>
            Rank
          </Button>
        </Group>
      ) : null}
      {ranking.isPending ? <LinesSkeleton /> : null}
      {ranking.isError ? <ErrorState error={ranking.error} title="Couldn’t rank the models" onRetry={rank} /> : null}
      {ranking.data ? <Ranking ranking={ranking.data} /> : null}
    </Page>
  )
}

/** Calibrations of pairwise evaluators, which judged every pair of a dataset. */
function JudgedField({ value, onChange }: { readonly value: string[]; readonly onChange: (ids: string[]) => void }) {
  const query = useJudgedPairs()
  const offered = query.data ?? []
  if (query.isPending) return <LinesSkeleton lines={1} />
  if (query.isError && !query.data)
    return <ErrorState error={query.error} title="Couldn’t load the judged pairs" onRetry={() => void query.refetch()} />
  if (offered.length === 0)
    return (
      <p className="quiet small">
        To rank runs, open their comparison, choose Judge in pairs, and calibrate a pairwise evaluator on the pairs.
      </p>
    )
  return (
    <MultiSelect
      label="Judged pairs"
      description="Calibrations of pairwise evaluators; model_a and model_b of an example name the models"
      placeholder={value.length === 0 ? 'None' : ''}
      maxValues={20}
      searchable
      data={offered.map(({ id, evaluator_name: name, evaluator_version: version, progress, created_at: at }) => ({
        value: id,
        label: `${name} v${version}, ${progress.total} pairs, ${at.slice(0, 10)}`,
      }))}
      value={value}
      onChange={onChange}
    />
  )
}

function Ranking({ ranking }: { readonly ranking: ModelRanking }) {
  const plot = {
    title: 'Chance to beat a model rated 1000',
    rows: ranking.models.map(({ model, rating, interval, battles }) => ({
      label: model,
      n: battles,
      mean: chanceAt(rating),
      low: interval && chanceAt(interval[0]),
      high: interval && chanceAt(interval[1]),
    })),
  }
  return (
    <Section
      title="Ranking"
      aside={
        <Button variant="default" size="compact-sm" onClick={() => void saveText(rankingCsv(ranking), 'text/csv', 'ranking.csv')}>
          Save as CSV
        </Button>
      }
    >
      {ranking.sources.map((source, i) => (
        <p key={i} className="small">
          <UntrustedText text={sourceText(source)} layout="inline" />
        </p>
      ))}
      <PlainTable label="Ranking" columns={columns} rows={ranking.models} rowId={({ model }) => model} />
      <ChartFigure table={intervalPlotTable(plot)}>{width => <IntervalPlot {...plot} width={width} />}</ChartFigure>
      {ranking.style_weights.map(({ style, log_odds: weight }) => (
        <p key={style} className="small">
          One standard deviation more of <UntrustedText text={style} layout="inline" />: {weight.toFixed(2)} in the log odds of winning
        </p>
      ))}
      {ranking.cautions.map(caution => (
        <p key={caution} className="quiet small">
          <UntrustedText text={caution} layout="inline" />
        </p>
      ))}
    </Section>
  )
}

function sourceText(source: ModelRanking['sources'][number]): string {
  return source.kind === 'battles'
    ? `${source.battles} battles from the file`
    : `${source.battles} pairs judged by “${source.evaluator_name}”, version ${source.evaluator_version}`
}

function chanceAt(rating: number): number {
  return 1 / (1 + 10 ** ((1000 - rating) / 400))
}

function rankingCsv({ models }: ModelRanking): string {
  const head = ['rank', 'model', 'rating', 'low', 'high', 'battles', 'wins', 'ties', 'losses']
  const rows = models.map(({ rank, model, rating, interval, battles, wins, ties, losses }) => [
    rank,
    model,
    rating,
    interval?.[0] ?? null,
    interval?.[1] ?? null,
    battles,
    wins,
    ties,
    losses,
  ])
  return [head, ...rows].map(csvRow).join('')
}
