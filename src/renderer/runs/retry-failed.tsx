import { Button } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Run } from '../../contract/index.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { RetryCostNotice } from './retry-cost-notice.tsx'
import { useRetryFailed } from './run-changes.queries.ts'

/** Asks what has no score again, and leads to the part that does it. */
export function RetryFailed({ run, samples }: { readonly run: Run; readonly samples: number }) {
  const [asking, setAsking] = useState(false)
  const navigate = useNavigate()
  const retry = useRetryFailed(run.id)
  const confirm = async (): Promise<void> => {
    const part = await retry.mutateAsync()
    void navigate(`/runs/${part.id}`)
  }
  return (
    <>
      <Button onClick={() => setAsking(true)}>Ask what has no score again</Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={`Ask ${samples === 1 ? 'one sample' : `${formatCount(samples)} samples`} again?`}
        action="Ask again"
        dangerous={false}
        onConfirm={confirm}
      >
        Every sample that failed, is missing or was cancelled is asked once more, as a part of “{run.name}”.{' '}
        <RetryCostNotice run={run} samples={samples} /> Its scores make the next result version; the present one stays as it is.
      </ConfirmDialog>
    </>
  )
}
