import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { DriftPlot, driftTable } from '../../charts/drift-plot.ts'
import type { TuneOccurrence } from '../../contract/tuning/monitors.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatPercent } from '../../lib/format/percent.ts'
import { ChartFigure } from '../results/chart-figure.tsx'
import { WithoutReasoning } from '../samples/reasoning.tsx'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Notice } from '../ui/states/notice.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { meanText, occurrenceStatus, triggerWords } from './tuning-words.ts'

type Detector = NonNullable<TuneOccurrence['detector']>
type AlarmOutput = Detector['alarms'][number]['outputs'][number]

const shownOutputs = 5

const outputColumns: readonly Column<AlarmOutput>[] = [
  { id: 'value', title: 'Score', width: 70, align: 'end', rowHeader: true, cell: ({ value }) => value.toFixed(2) },
  { id: 'input', title: 'Input', width: 240, cell: ({ input }) => <UntrustedText text={input.slice(0, 300)} layout="prose" /> },
  {
    id: 'output',
    title: 'Output',
    width: 300,
    grow: true,
    cell: ({ output }) => (
      <WithoutReasoning text={output}>{answer => <UntrustedText text={answer.slice(0, 300)} layout="prose" />}</WithoutReasoning>
    ),
  },
  { id: 'why', title: 'Grader', width: 260, cell: ({ explanation }) => <UntrustedText text={explanation.slice(0, 300)} layout="prose" /> },
]

export function OccurrenceDetails({ occurrence }: { readonly occurrence: TuneOccurrence }) {
  const { detector, failure, reason, run_id: runId, trigger, n, unscored, duplicates } = occurrence
  return (
    <>
      {failure ? (
        <Notice tone="fail" title="Check failed">
          {failure.message}
        </Notice>
      ) : null}
      <KeyValues
        items={{
          Check: triggerWords[trigger.type],
          Verdict: <StatusBadge status={occurrenceStatus(occurrence)} />,
          Reason: reason,
          When: <RelativeTime at={trigger.occurred_at} />,
          Note: trigger.note === null ? null : <UntrustedText text={trigger.note} layout="prose" />,
          Reference: trigger.ref === null ? null : <UntrustedText text={trigger.ref} layout="inline" />,
          Run:
            runId === null ? null : (
              <Anchor component={Link} to={`/runs/${runId}`} fz="inherit">
                Open the run
              </Anchor>
            ),
          Scored:
            n === null
              ? null
              : `${formatCount(n - (occurrence.kind === 'workload' ? (unscored ?? 0) : 0))}, ${formatCount(unscored ?? 0)} unscored`,
          'Known already': duplicates === null || duplicates === 0 ? null : formatCount(duplicates),
          'Mean score':
            detector?.mean == null
              ? null
              : meanText({
                  mean: detector.mean,
                  low: detector.interval?.low ?? null,
                  high: detector.interval?.high ?? null,
                  n: (n ?? 0) - (unscored ?? 0),
                }),
          Floor: detector ? formatPercent(detector.floor) : null,
        }}
      />
      {detector ? <DetectorView detector={detector} /> : null}
    </>
  )
}

function DetectorView({ detector }: { readonly detector: Detector }) {
  const [first] = detector.alarms
  const plot = { title: 'Drift detector', points: detector.path, alarmAt: detector.alarm_at, alarms: detector.alarms }
  return (
    <>
      <ChartFigure table={driftTable(plot)}>{width => DriftPlot({ ...plot, width })}</ChartFigure>
      {first ? (
        <div className="stack">
          <h3>
            Outputs behind the {first.kind} at output {formatCount(first.output)}, <RelativeTime at={first.at} />
          </h3>
          {detector.alarms.length > 1 ? (
            <p className="quotes-note">
              {formatCount(detector.alarms.length)} alarms: after each the detector starts again, so a lasting change raises more.
            </p>
          ) : null}
          <PlainTable
            label={`Outputs behind the alarm at output ${first.output}`}
            columns={outputColumns}
            rows={first.outputs.slice(0, shownOutputs)}
            rowId={({ id }) => id}
          />
        </div>
      ) : null}
    </>
  )
}
