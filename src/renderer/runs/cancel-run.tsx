import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { Money } from '../ui/values/figures.tsx'
import { useCancelRun } from './run-changes.queries.ts'

export function CancelRun({ run }: { readonly run: Run }) {
  const [asking, setAsking] = useState(false)
  const cancel = useCancelRun(run.id)
  const { completed, frozen } = run.progress
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Cancel run
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={`Cancel “${run.name}”?`}
        action="Cancel run"
        dismiss="Keep running"
        onConfirm={() => cancel.mutateAsync()}
      >
        No further sample is started; {formatCount(frozen - completed)} of {formatCount(frozen)} are not processed yet. What is scored
        stays, and so does what was charged: <Money microUsd={run.accounting.charged_microusd} />. Missing samples can be retried later.
      </ConfirmDialog>
    </>
  )
}
