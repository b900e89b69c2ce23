import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { RetryCostNotice } from './retry-cost-notice.tsx'
import { useRetryFailed } from './run-changes.queries.ts'

/** Asks what has no score again; what comes of it shows under "Retries" of the run. */
export function RetryFailed({ run, samples }: { readonly run: Run; readonly samples: number }) {
  const [asking, setAsking] = useState(false)
  const retry = useRetryFailed(run.id)
  const confirm = async (): Promise<void> => {
    await retry.mutateAsync()
  }
  return (
    <>
      <Button onClick={() => setAsking(true)}>Retry {formatCount(samples)} unscored</Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={`Retry ${samples === 1 ? 'one sample' : `${formatCount(samples)} samples`}?`}
        action="Retry"
        dangerous={false}
        onConfirm={confirm}
      >
        Retries every failed, missing and cancelled sample, as a part of “{run.name}”. <RetryCostNotice run={run} samples={samples} /> The
        scores become the next result version; the current version stays unchanged.
      </ConfirmDialog>
    </>
  )
}
