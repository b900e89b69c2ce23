import { Anchor, Button, Progress } from '@mantine/core'
import { Link } from 'react-router'
import type { Job, JobKind } from '../../contract/jobs/jobs.schemas.ts'
import { formatPercent } from '../../lib/format/percent.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { jobStatuses } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { isUnderWay, useJobAction } from './background-jobs.queries.ts'
import { PauseDescription } from './pause-description.tsx'
import { useJobSubject } from './job-subject.queries.ts'

const kindNames: Readonly<Record<JobKind, string>> = {
  answer_import: 'Output import',
  answer_import_media: 'Media download',
  backup: 'Backup',
  backup_check: 'Backup check',
  calibration: 'Calibration',
  catalog_import: 'Benchmark import',
  catalog_import_download: 'Benchmark download',
  catalog_import_media: 'Media download',
  catalog_import_preview: 'Import preview',
  database_examination: 'Database check',
  database_restore: 'Restore',
  dataset_import: 'Dataset import',
  dataset_import_preview: 'Import preview',
  dataset_scan: 'Dataset scan',
  demo: 'Demo',
  media_cleanup: 'Media cleanup',
  run_export: 'Export',
  runtime_install: 'Runtime install',
  evaluator_draft: 'Evaluator draft',
  model_identity: 'Model identity',
  package_checks: 'Package checks',
  release_analysis: 'Release analysis',
  release_step: 'Release decision',
  regrade: 'Regrade',
  run_deletion: 'Run deletion',
  storage_compaction: 'Compaction',
  trace_backfill: 'Trace backfill',
  tune_auto: 'Automatic tuning',
  tune_search: 'Prompt search',
  tune_race: 'Tuning run',
  tune_occurrence: 'Monitor check',
  world_draft: 'Environment draft',
}

/** Imports, backups, regrades and other work of the service, with its progress. */
export function BackgroundJobs({ jobs }: { readonly jobs: readonly Job[] }) {
  if (jobs.length === 0) return null
  return (
    <section aria-label="Background jobs" className="stack">
      <h2 className="quiet small" style={{ margin: 0 }}>
        Background jobs
      </h2>
      <ul className="stack" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {jobs.map(job => (
          <BackgroundJob key={job.id} job={job} />
        ))}
      </ul>
    </section>
  )
}

function BackgroundJob({ job }: { readonly job: Job }) {
  const cancel = useJobAction('cancelJob')
  const retry = useJobAction('retryJob')
  const subject = useJobSubject(job)
  const kind = kindNames[job.kind]
  const name = kind.toLowerCase() + (subject ? `: ${showHidden(subject.name)}` : '')
  const isActive = isUnderWay(job)
  const share = shareOf(job)
  return (
    <li>
      <div className="row" style={{ justifyContent: 'space-between', flexWrap: 'nowrap' }}>
        <div style={{ minWidth: 0 }}>
          <div>{kind}</div>
          {subject ? (
            <Anchor component={Link} to={subject.to} className="shell-job-subject" title={showHidden(subject.name)}>
              <UntrustedText text={subject.name} layout="prose" />
            </Anchor>
          ) : null}
          <div className="row small">
            <StatusBadge status={jobStatuses[job.state]} />
            <RelativeTime at={job.finished_at ?? job.started_at ?? job.created_at} />
          </div>
        </div>
        {isActive ? (
          <Button
            size="compact-xs"
            variant="default"
            className="shell-job-action"
            aria-label={`Cancel ${name}`}
            loading={cancel.isPending}
            onClick={() => cancel.mutate(job.id)}
          >
            Cancel
          </Button>
        ) : null}
        {job.retryable ? (
          <Button
            size="compact-xs"
            variant="default"
            className="shell-job-action"
            aria-label={`Retry ${name}`}
            loading={retry.isPending}
            onClick={() => retry.mutate(job.id)}
          >
            Retry
          </Button>
        ) : null}
      </div>
      {isActive && share !== null ? <Progress value={100 * share} size="sm" mt={4} aria-label={`Progress of ${name}`} /> : null}
      {isActive ? <div className="quiet small num">{describeProgress(job, share)}</div> : null}
      {job.quiet_since === null ? null : (
        <div className="small">
          Last progress <RelativeTime at={job.quiet_since} />. Cancel it if it stays so.
        </div>
      )}
      {job.pause ? (
        <div className="small">
          <PauseDescription pause={job.pause} ending="The job stops" />
        </div>
      ) : null}
      {job.state === 'failed' && job.error ? (
        <div className="small">
          <UntrustedText text={job.error.message} layout="prose" />
        </div>
      ) : null}
    </li>
  )
}

/** 0 to 1; null while the whole is unknown. */
function shareOf({ progress }: Pick<Job, 'progress'>): number | null {
  if (!progress?.total) return null
  return Math.min(1, progress.done / progress.total)
}

function describeProgress({ progress }: Pick<Job, 'progress'>, share: number | null) {
  const parts = [share === null ? null : formatPercent(share, 0), progress?.message ?? null].filter(part => part !== null)
  return <UntrustedText text={parts.join(', ')} layout="prose" />
}
