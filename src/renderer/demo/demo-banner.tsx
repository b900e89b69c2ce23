import { Button, Progress } from '@mantine/core'
import { useMe } from '../api/session.queries.ts'
import { openWorkspace, presentWorkspace } from '../api/workspace.ts'
import { isUnderWay, useJobAction } from '../app/background-jobs.queries.ts'
import { IconEye } from '../ui/pictures/icons.tsx'
import { useDemoJob, useRemoveDemo } from './demo.queries.ts'

/** On every page of a demo: what it is, how far it is filled, and the way out. */
export function DemoBanner() {
  const { data: me } = useMe()
  if (!me || !presentWorkspace(me)?.demo) return null
  const own = me.workspaces.find(({ demo }) => !demo)
  return (
    <aside className="shell-demo" aria-label="Demo">
      <IconEye size={16} aria-hidden />
      <Filling />
      {own ? (
        <Button size="compact-sm" variant="default" onClick={() => openWorkspace(own.id)}>
          Back to {own.name}
        </Button>
      ) : null}
      <Remove />
    </aside>
  )
}

function Filling() {
  const job = useDemoJob()
  const cancel = useJobAction('cancelJob')
  const retry = useJobAction('retryJob')
  if (job && isUnderWay(job)) {
    const { done, total, message } = job.progress ?? { done: 0, total: null, message: null }
    return (
      <>
        <output>Filling the demo: {message ?? 'starting'}</output>
        <Progress value={total ? (100 * done) / total : 0} w={120} size="sm" aria-label="Progress of the demo" />
        <Button size="compact-sm" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(job.id)}>
          Stop
        </Button>
        <span className="shell-demo-space" />
      </>
    )
  }
  return (
    <>
      <span className="shell-demo-space">
        {job && job.state !== 'succeeded'
          ? 'Demo, filled in part.'
          : 'Demo: real runs of simulated models. What you add here is removed with it.'}
      </span>
      {job?.retryable ? (
        <Button size="compact-sm" variant="default" loading={retry.isPending} onClick={() => retry.mutate(job.id)}>
          Fill the rest
        </Button>
      ) : null}
    </>
  )
}

function Remove() {
  const remove = useRemoveDemo()
  return (
    <Button size="compact-sm" variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
      Remove demo
    </Button>
  )
}
