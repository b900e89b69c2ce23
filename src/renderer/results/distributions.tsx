import { Button } from '@mantine/core'
import { Distribution, distributionTable, type DistributionProps, histogram } from '../../charts/distribution.ts'
import type { Quantiles, Results } from '../../contract/runs/results.schemas.ts'
import type { Sample } from '../../contract/runs/samples.schemas.ts'
import { formatCount, formatNumber, noNumber } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { ChartFigure } from './chart-figure.tsx'
import { useAllSamples } from './use-all-samples.ts'

interface Line {
  readonly name: string
  readonly quantiles: Quantiles
  readonly format: (value: number) => string
}

const figure = (line: Line, value: number | null): string => (value === null ? noNumber : line.format(value))

const columns: readonly Column<Line>[] = [
  { id: 'name', title: 'Per answer', width: 140, grow: true, rowHeader: true, cell: line => line.name },
  { id: 'n', title: 'n', width: 80, align: 'end', cell: line => formatCount(line.quantiles.n) },
  { id: 'mean', title: 'Mean', width: 90, align: 'end', cell: line => figure(line, line.quantiles.mean) },
  { id: 'p50', title: 'Median', width: 90, align: 'end', cell: line => figure(line, line.quantiles.p50) },
  { id: 'p95', title: 'p95', width: 90, align: 'end', cell: line => figure(line, line.quantiles.p95) },
  { id: 'p99', title: 'p99', width: 90, align: 'end', cell: line => figure(line, line.quantiles.p99) },
  { id: 'max', title: 'Largest', width: 90, align: 'end', cell: line => figure(line, line.quantiles.max) },
]

/** Latency and length of the answers: quantiles at once, the shape when all samples are read. */
export function Distributions({ results, latest }: { readonly results: Results; readonly latest: boolean }) {
  const lines: readonly Line[] = [
    { name: 'Latency', quantiles: results.latency_ms, format: formatDuration },
    { name: 'Output tokens', quantiles: results.output_tokens, format: tokens },
  ]
  return (
    <>
      <PlainTable label="Latency and length" columns={columns} rows={lines} rowId={line => line.name} />
      {latest ? (
        <Shapes runId={results.run_id} version={results.result_version} total={results.coverage.frozen} />
      ) : (
        <p className="quiet results-note">The shapes are drawn for the latest version only.</p>
      )}
    </>
  )
}

interface ShapesProps {
  readonly runId: string
  readonly version: number
  readonly total: number
}

function Shapes({ runId, version, total }: ShapesProps) {
  const all = useAllSamples(runId, version, total)
  if (all.error) return <ErrorState error={all.error} title="Couldn’t load the samples" onRetry={all.start} />
  if (!all.samples) {
    return all.loaded === null ? (
      <Button variant="default" onClick={all.start} style={{ alignSelf: 'flex-start' }}>
        Read all {formatCount(total)} samples to draw their distributions
      </Button>
    ) : (
      <output className="quiet num">
        Read {formatCount(all.loaded)} of {formatCount(total)} samples
      </output>
    )
  }
  const latencies = numbers(all.samples, sample => sample.latency_ms)
  return (
    <div className="results-pair">
      {/* A baseline answers in no time, and that has no shape. */}
      {latencies.some(latency => latency >= 1) ? (
        <Shape title="Latency of answers" values={latencies} format={formatDuration} hrefOf={between(runId, 'latency')} />
      ) : null}
      <Shape
        title="Output tokens of answers"
        values={numbers(all.samples, sample => sample.output_tokens)}
        format={tokens}
        hrefOf={between(runId, 'tokens')}
      />
    </div>
  )
}

/** Samples in a bar of a histogram; its upper end belongs to the next one. */
function between(runId: string, what: 'latency' | 'tokens'): (from: number, to: number | null) => string {
  return (from, to) =>
    `/runs/${runId}/samples?${what}_min=${Math.ceil(from)}${to === null ? '' : `&${what}_max=${Math.max(Math.ceil(from), Math.ceil(to) - 1)}`}`
}

function Shape({ values, ...rest }: Omit<DistributionProps, 'shape'> & { readonly values: readonly number[] }) {
  if (values.length === 0) return null
  const props = { ...rest, shape: histogram(values) }
  return (
    <div>
      <h3 className="results-chart-title">{props.title}</h3>
      <ChartFigure table={distributionTable(props)}>{width => <Distribution {...props} width={width} />}</ChartFigure>
    </div>
  )
}

function numbers(samples: readonly Sample[], read: (sample: Sample) => number | null): readonly number[] {
  return samples.map(read).filter(value => value !== null)
}

function tokens(value: number): string {
  return formatNumber(value)
}
