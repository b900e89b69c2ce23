import { useNavigate } from 'react-router'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { RetryCostNotice } from '../runs/retry-cost-notice.tsx'
import { useRetrySamples } from '../runs/run-changes.queries.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'

interface RetryDialogProps {
  readonly run: Run
  /** Of the run's samples; null keeps the dialog closed. */
  readonly ids: readonly string[] | null
  readonly onClose: () => void
}

/** Asks named samples again, past the cache, and leads to the run, which shows what comes of it. */
export function RetryDialog({ run, ids, onClose }: RetryDialogProps) {
  const navigate = useNavigate()
  const ask = useRetrySamples(run.id)
  const count = ids?.length ?? 0
  const confirm = async (): Promise<void> => {
    await ask.mutateAsync(ids ?? [])
    void navigate(`/runs/${run.id}`)
  }
  return (
    <ConfirmDialog
      opened={ids !== null}
      onClose={onClose}
      title={count === 1 ? 'Retry this sample?' : `Retry ${formatCount(count)} samples?`}
      action="Retry"
      dangerous={false}
      onConfirm={confirm}
    >
      The cache is bypassed. The retry is a part of “{run.name}”. <RetryCostNotice run={run} samples={count} /> Only a new score replaces
      what a sample had, in the next version of the result; the current version stays unchanged.
    </ConfirmDialog>
  )
}
