import { noticeLabel } from '../../contract/runs/call-notes.ts'
import { failureLabel } from '../../contract/runs/failure-labels.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import type { Sample, SampleScore } from '../../contract/runs/samples.schemas.ts'
import { formatCount, formatNumber, noNumber } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { targetText } from '../../lib/target-text.ts'
import { AnnotationSummary } from '../annotations/annotation-summary.tsx'
import { profileNames } from '../quotes/profile-name.ts'
import type { Column } from '../ui/table/column.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { MediaThumb } from '../media/media-thumb.tsx'
import { CachedBadge } from './cached-badge.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { Verdict } from './verdict.tsx'

/** Columns whose ids are the service's own names for its orders. */
export function samplesColumns(run: Run): readonly Column<Sample>[] {
  const primaries = new Map(run.profiles.map(profile => [profile.profile_id, profile.metrics.find(metric => metric.primary)?.id]))
  const nameOf = profileNames(run.profiles)
  // Correct is 1 and wrong is 0: the verdict says it.
  const allBinary = run.profiles.every(profile => profile.metrics.find(metric => metric.primary)?.binary)
  const primary = (sample: Sample): SampleScore | undefined =>
    sample.scores.find(score => score.metric === primaries.get(sample.profile_id))
  return [
    { id: 'position', title: '#', width: 60, align: 'end', sortable: true, cell: sample => formatCount(sample.position + 1) },
    { id: 'task', title: 'Task', width: 104, rowHeader: true, cell: sample => <UntrustedText text={sample.task_id} layout="ends" /> },
    {
      id: 'profile',
      title: 'Profile',
      width: 150,
      hiddenAtFirst: run.profiles.length === 1,
      cell: sample => <UntrustedText text={nameOf(sample.profile_id)} layout="prose" />,
    },
    {
      id: 'epoch',
      title: 'Epoch',
      width: 60,
      align: 'end',
      hiddenAtFirst: run.coverage.epochs === 1,
      cell: sample => formatCount(sample.epoch),
    },
    { id: 'verdict', title: 'Outcome', width: 106, cell: sample => <Verdict status={sample.status} score={primary(sample)} /> },
    {
      id: 'annotations',
      title: 'Tags',
      width: 64,
      cell: sample => <AnnotationSummary annotations={sample.annotations} />,
    },
    {
      id: 'value',
      title: 'Score',
      width: 60,
      align: 'end',
      sortable: true,
      hiddenAtFirst: allBinary,
      cell: sample => scoreText(primary(sample)?.value ?? null),
    },
    {
      id: 'input',
      title: 'Input',
      width: 164,
      grow: true,
      cell: sample => <UntrustedText text={sample.input_preview} layout="inline" />,
    },
    {
      id: 'images',
      title: 'Images',
      width: 96,
      cell: sample =>
        sample.images.map((media, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- a task may show one image twice
          <MediaThumb key={place} part={{ type: 'image', media }} size={24} alt="Image of the task" />
        )),
    },
    {
      id: 'target',
      title: 'Target',
      width: 86,
      cell: sample => <UntrustedText text={targetText(sample.target_preview ?? '', sample.target_choice)} layout="inline" />,
    },
    { id: 'answer', title: 'Answer', width: 86, cell: sample => <UntrustedText text={primary(sample)?.answer ?? ''} layout="inline" /> },
    {
      id: 'output',
      title: 'Output',
      width: 152,
      cell: sample => <UntrustedText text={sample.error?.message ?? sample.output_preview ?? ''} layout="inline" />,
    },
    { id: 'latency', title: 'Latency', width: 76, align: 'end', sortable: true, cell: sample => formatDuration(sample.latency_ms) },
    {
      id: 'output_tokens',
      title: 'Tokens out',
      width: 86,
      align: 'end',
      sortable: true,
      cell: sample => countOrNone(sample.output_tokens),
    },
    {
      id: 'input_tokens',
      title: 'Tokens in',
      width: 84,
      align: 'end',
      hiddenAtFirst: true,
      cell: sample => countOrNone(sample.input_tokens),
    },
    {
      id: 'cache',
      title: 'Cache',
      width: 80,
      hiddenAtFirst: !run.execution.cache,
      cell: sample => (sample.cached ? <CachedBadge /> : null),
    },
    {
      id: 'notices',
      title: 'Notices',
      width: 140,
      hiddenAtFirst: true,
      cell: sample => sample.notices.map(({ code }) => <StatusBadge key={code} status={{ word: noticeLabel(code), tone: 'warn' }} />),
    },
    { id: 'attempts', title: 'Attempts', width: 76, align: 'end', hiddenAtFirst: true, cell: sample => formatCount(sample.attempts) },
    { id: 'error', title: 'Error', width: 120, hiddenAtFirst: true, cell: sample => (sample.error ? failureLabel(sample.error.code) : '') },
  ]
}

/** A score in [0, 1]: whole numbers as they are, others with two decimals. */
export function scoreText(value: number | null): string {
  if (value === null) return noNumber
  return formatNumber(value, Number.isInteger(value) ? 0 : 2)
}

function countOrNone(count: number | null): string {
  return count === null ? noNumber : formatCount(count)
}
