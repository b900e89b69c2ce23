import { Button, Progress } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { jobCancelled } from '../../contract/jobs/jobs.schemas.ts'
import type { DraftedWorld } from '../../contract/worlds/play.schemas.ts'
import { isUnderWay, useJob, useJobAction } from '../app/background-jobs.queries.ts'
import { PageHeader } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { DraftedWorlds } from './drafted-worlds.tsx'
import { useStoredDraft } from './worlds.queries.ts'

interface WorldDraftViewProps {
  readonly id: string
  readonly children: (made: DraftedWorld, choice: ReactNode) => ReactNode
}

/** A draft that is made in the background: its progress until it is ready. */
export function WorldDraftView({ id, children }: WorldDraftViewProps) {
  const draft = useStoredDraft(id)
  const job = useJob(draft.data && !draft.data.worlds ? draft.data.job_id : null).data
  const cancel = useJobAction('cancelJob')
  const header = <PageHeader title="New test" parent={{ title: 'Environments', to: '/catalog/environments' }} />
  const { refetch } = draft
  const isOver = job !== undefined && !isUnderWay(job)
  useEffect(() => {
    if (isOver) void refetch()
  }, [isOver, refetch])
  if (draft.data?.worlds) return <DraftedWorlds worlds={draft.data.worlds}>{children}</DraftedWorlds>
  if (draft.error)
    return (
      <>
        {header}
        <ErrorState error={draft.error} title="Couldn’t load the draft" onRetry={() => void draft.refetch()} />
      </>
    )
  if (isOver && job.state !== 'succeeded')
    return (
      <>
        {header}
        <ErrorState error={new Error(job.error?.message ?? jobCancelled)} title="The test was not made" />
      </>
    )
  const { done, total, message } = job?.progress ?? { done: 0, total: null, message: null }
  return (
    <>
      {header}
      {job ? (
        <div className="stack" aria-live="polite">
          <div>{message ?? 'Waiting'}</div>
          <Progress value={total ? (100 * done) / total : 0} aria-label="Progress of the draft" />
          <div>
            <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(job.id)}>
              Cancel
            </Button>
          </div>
        </div>
      ) : (
        <LinesSkeleton lines={6} />
      )}
    </>
  )
}
