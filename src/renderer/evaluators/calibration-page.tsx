import './evaluators.css'
import { Button, Progress } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { IntervalPlot, type IntervalRow, intervalPlotTable } from '../../charts/interval-plot.ts'
import type { Calibration } from '../../contract/evaluators/calibrations.schemas.ts'
import type { Estimate } from '../../contract/runs/results.schemas.ts'
import { formatCount, formatNumber } from '../../lib/format/numbers.ts'
import { formatPercent } from '../../lib/format/percent.ts'
import { JobPause } from '../app/pause-description.tsx'
import { versionQuery } from '../datasets/datasets.queries.ts'
import { ChartFigure } from '../results/chart-figure.tsx'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { Money } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { orCancelled } from '../ui/values/statuses.ts'
import { allDisagreements, ConfusionMatrix } from './confusion-matrix.tsx'
import { CoefficientPlot } from './coefficient-plot.tsx'
import { describeTrust } from './describe-trust.ts'
import { DisagreementReader } from './disagreement-reader.tsx'
import { calibrationQuery, useCancelJob, useRetryJob } from './evaluators.queries.ts'
import { RaiseLimit } from './raise-limit.tsx'
import { calibrationStatuses, endNotice, verdictStatuses, whyEnded } from './evaluators-words.ts'
import { ThresholdCurve } from './threshold-curve.tsx'

export function CalibrationPage() {
  const { calibrationId = '' } = useParams()
  const query = useQuery(calibrationQuery(calibrationId))
  return (
    <Page>
      <QueryView
        query={query}
        failure="Couldn’t load the calibration"
        header={<PageHeader title="Calibration" parent={{ title: 'Evaluators', to: '/evaluators' }} />}
      >
        {calibration => <CalibrationView calibration={calibration} />}
      </QueryView>
    </Page>
  )
}

function CalibrationView({ calibration }: { readonly calibration: Calibration }) {
  const { status, verdict, evaluator_name: name, evaluator_version: version } = calibration
  return (
    <>
      <PageHeader
        title={`Calibration of ${name}`}
        parent={{ title: name, to: `/evaluators/${calibration.evaluator_version_id}` }}
        aside={<StatusBadge status={verdict ? verdictStatuses[verdict] : orCancelled(calibrationStatuses[status], calibration.failure)} />}
        description={`Version ${version} against people’s labels.`}
        actions={
          <>
            <RequestMenu operation="getCalibration" request={{ params: { calibration_id: calibration.id } }} />
            <JobActions calibration={calibration} />
          </>
        }
      />
      {status === 'pending' || status === 'running' ? <Running calibration={calibration} /> : null}
      {calibration.failure ? (
        <Notice {...endNotice('Calibration', calibration.failure)}>
          {whyEnded(calibration.failure)} Answers that were paid for are kept: retrying continues from there.
        </Notice>
      ) : null}
      {calibration.failure?.code === 'spending_limit_reached' ? <RaiseLimit calibration={calibration} /> : null}
      {status === 'resolved' ? <Resolved calibration={calibration} /> : null}
    </>
  )
}

function JobActions({ calibration }: { readonly calibration: Calibration }) {
  const retry = useRetryJob(calibration.job_id)
  const cancel = useCancelJob(calibration.job_id)
  // Under the same limit a retry would stop at once: the limit is raised below.
  if (calibration.failure?.code === 'spending_limit_reached') return null
  if (calibration.status === 'failed')
    return (
      <Button loading={retry.isPending} onClick={() => retry.mutate()}>
        Retry
      </Button>
    )
  if (calibration.status === 'resolved') return null
  return (
    <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
      Cancel calibration
    </Button>
  )
}

function Running({ calibration: { progress, spending, job_id: jobId } }: { readonly calibration: Calibration }) {
  const { done, total } = progress
  return (
    <div className="stack" style={{ maxWidth: 480 }}>
      <Progress value={total === 0 ? 0 : (100 * done) / total} aria-label="Progress" />
      <span className="quiet num">
        {formatCount(done)} of {formatCount(total)} examples
        {/* Examples are stored some dozens at a time. */}
        {spending.calls === 0 ? '' : `, ${formatCount(spending.calls)} judge calls so far`}
      </span>
      <JobPause jobId={jobId} />
    </div>
  )
}

function Resolved({ calibration }: { readonly calibration: Calibration }) {
  const [filter, setFilter] = useState(allDisagreements)
  const [place, setPlace] = useState(0)
  const { confusion, reasons, threshold, spending } = calibration
  const cost = BigInt(spending.charged_microusd) + BigInt(spending.provider_billed_microusd)
  const version = useQuery(versionQuery(calibration.dataset_id, calibration.dataset_version_id)).data
  const trust = describeTrust(calibration, version?.annotators)
  const plot = { title: 'Agreement with the labels', rows: figureRows(calibration) }
  return (
    <>
      {trust === null ? null : <p className="evaluators-sentence">{trust}</p>}
      {reasons.length > 0 ? (
        <Notice tone="warn" title="Not usable yet">
          {reasons.join(' ')}
        </Notice>
      ) : null}
      {prefersItself(calibration.self_preference) ? (
        <Notice tone="warn" title="The judge prefers its own family">
          It passes outputs of {calibration.self_preference?.families.join(' and ')} more often than people do, compared with other outputs.
          Use a judge of another family for such models.
        </Notice>
      ) : null}
      <KeyValues
        items={{
          'Labeled examples': formatCount(calibration.n ?? 0),
          Unscored: formatCount(calibration.unscored ?? 0),
          'Most frequent reason': calibration.unscored_reasons[0]?.reason ?? null,
          'Position flip rate': calibration.position_flip_rate ? describe(calibration.position_flip_rate) : null,
          'Preference for its own family': calibration.self_preference ? describePreference(calibration.self_preference) : null,
          'Pass rate, unlabeled examples': calibration.corrected_pass_rate ? describe(calibration.corrected_pass_rate.raw) : null,
          'Corrected for its errors': calibration.corrected_pass_rate
            ? describe({
                ...calibration.corrected_pass_rate.rogan_gladen,
                interval: calibration.corrected_pass_rate.lang_reiczigel_interval,
              })
            : null,
          'Judge calls': spending.calls > 0 ? formatCount(spending.calls) : null,
          Cost: cost > 0n ? <Money microUsd={String(cost)} /> : null,
        }}
      />
      <Section title="Agreement">
        <ChartFigure table={intervalPlotTable(plot)} maxWidth={1040}>
          {width => IntervalPlot({ ...plot, width })}
        </ChartFigure>
        {calibration.kappa && calibration.ac1 ? (
          <CoefficientPlot
            rows={[
              { label: 'Cohen’s kappa', estimate: calibration.kappa, minimum: calibration.minimum.kappa },
              { label: 'Gwet’s AC1', estimate: calibration.ac1 },
            ]}
          />
        ) : null}
      </Section>
      {threshold ? (
        <Section title="Threshold">
          <ThresholdCurve threshold={threshold} />
        </Section>
      ) : null}
      {confusion ? (
        <Section title="Confusion matrix">
          <p className="quiet">Rows are people’s labels, columns the evaluator’s verdicts. Select a cell to read its examples.</p>
          <ConfusionMatrix
            confusion={confusion}
            chosen={filter}
            onChoose={next => {
              setFilter(next)
              setPlace(0)
            }}
          />
        </Section>
      ) : null}
      <Section title={filter.label === null ? 'Disagreements' : 'Examples of the selected cell'}>
        <DisagreementReader calibration={calibration} filter={filter} place={place} onPlace={setPlace} />
      </Section>
    </>
  )
}

function figureRows({ agreement, balanced_accuracy, sensitivity, specificity, minimum }: Calibration): IntervalRow[] {
  const row = (label: string, estimate: Estimate | null, chance?: number): IntervalRow[] =>
    estimate
      ? [
          {
            label,
            n: estimate.n,
            mean: estimate.mean,
            low: estimate.interval?.low ?? null,
            high: estimate.interval?.high ?? null,
            ...(chance !== undefined && { detail: `minimum ${formatPercent(chance, 0)}` }),
          },
        ]
      : []
  return [
    ...row('Agreement', agreement),
    ...row('Balanced accuracy', balanced_accuracy, minimum.balanced_accuracy),
    ...row('Sensitivity', sensitivity),
    ...row('Specificity', specificity),
  ]
}

function prefersItself(found: Calibration['self_preference']): boolean {
  return (found?.difference.interval?.low ?? 0) > 0
}

function describePreference({ families, own, others, difference }: NonNullable<Calibration['self_preference']>): string {
  const outputs = `${formatCount(own)} outputs of ${families.join(', ')}, ${formatCount(others)} of others`
  if (difference.mean === null) return `Not known: ${outputs}. ${difference.reason ?? ''}`
  return `${points(difference.mean)}${difference.interval ? ` (${points(difference.interval.low)} to ${points(difference.interval.high)})` : ''} points; ${outputs}`
}

/** A difference of rates, in points with its sign. */
function points(share: number): string {
  const text = formatNumber(100 * Math.abs(share), 1)
  return share < 0 ? `−${text}` : `+${text}`
}

function describe({ mean, interval, n, reason }: Pick<Estimate, 'mean' | 'interval' | 'n' | 'reason'>): string {
  if (mean === null) return reason ?? 'undefined'
  const range = interval ? ` (${formatPercent(interval.low)} to ${formatPercent(interval.high)})` : ''
  return `${formatPercent(mean)}${range}, n = ${formatCount(n)}`
}
