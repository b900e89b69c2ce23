import { allows } from '../../contract/machine.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { profileName } from '../../lib/format/benchmark-names.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { lastFinished } from '../../lib/last-finished.ts'
import { AnnotationSummary } from '../annotations/annotation-summary.tsx'
import { ExportMenu } from '../results/export-menu.tsx'
import { PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { CancelRun } from './cancel-run.tsx'
import { presentStatus, whyStopped } from './follow-up.ts'
import { PauseRun } from './pause-run.tsx'
import { PinnedMark } from './pinned-mark.tsx'
import { RaiseCap } from './raise-cap.tsx'
import { RunMenu } from './run-menu.tsx'

interface RunHeaderProps {
  readonly run: Run
  /** Whether the tags are shown beside the title. */
  readonly tagged: boolean
}

export function RunHeader({ run, tagged }: RunHeaderProps) {
  const finished = lastFinished(run)
  return (
    <PageHeader
      title={run.part_of === null ? showHidden(run.name) : `Part of ${showHidden(run.name)}`}
      parent={run.part_of === null ? { title: 'Runs', to: '/runs' } : { title: showHidden(run.name), to: `/runs/${run.part_of}` }}
      aside={
        <>
          <StatusBadge status={presentStatus(run)} title={whyStopped(run)?.message} />
          {tagged ? <AnnotationSummary annotations={run.annotations} /> : null}
          {run.pinned_at === null ? null : <PinnedMark />}
          {run.archived_at === null ? null : <StatusBadge status={{ word: 'Archived', tone: 'neutral' }} />}
        </>
      }
      description={
        <>
          <UntrustedText text={run.model.title} layout="prose" />
          {run.model.is_model ? null : ' (not a model)'} on <UntrustedText text={run.profiles.map(profileName).join(', ')} layout="prose" />
          {finished ? ', finished ' : ', submitted '}
          <RelativeTime at={finished ?? run.created_at} />
        </>
      }
      actions={
        <>
          <RequestMenu operation="getRun" request={{ params: { run_id: run.id } }} />
          {run.part_of === null ? <RunMenu run={run} /> : null}
          {allows(runMachine, run.status, 'cancel') ? (
            <>
              <RaiseCap run={run} />
              {run.pause === null ? <PauseRun run={run} /> : null}
              <CancelRun run={run} />
            </>
          ) : null}
          {run.result_version === null ? null : <ExportMenu run={run} latestVersion={run.result_version} />}
        </>
      }
    />
  )
}
