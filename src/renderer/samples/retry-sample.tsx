import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { canRetry } from '../runs/follow-up.ts'
import { RetryDialog } from './retry-dialog.tsx'

/** A button for one sample of a run that has ended; nothing while the run, or a part of it, works. */
export function RetrySample({ run, sampleId }: { readonly run: Run; readonly sampleId: string }) {
  const [asking, setAsking] = useState(false)
  if (!canRetry(run)) return null
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Retry
      </Button>
      <RetryDialog run={run} ids={asking ? [sampleId] : null} onClose={() => setAsking(false)} />
    </>
  )
}
