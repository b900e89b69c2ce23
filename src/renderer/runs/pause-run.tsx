import { Button } from '@mantine/core'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { notifyFailed } from '../ui/page/notify.ts'
import { usePauseRun } from './run-changes.queries.ts'

/** Pauses the run; its notice then has the button that resumes it. */
export function PauseRun({ run }: { readonly run: Run }) {
  const pause = usePauseRun(run.id)
  return (
    <Button
      variant="default"
      loading={pause.isPending}
      title="Calls in flight end, and no other begins until you resume the run."
      onClick={() => pause.mutate(undefined, { onError: error => notifyFailed('Couldn’t pause the run', error) })}
    >
      Pause run
    </Button>
  )
}
