import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Evaluation } from '../../contract/evaluations/evaluations.schemas.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { Money } from '../ui/values/figures.tsx'
import { useCancelEvaluation } from './evaluations.queries.ts'

export function CancelEvaluation({ evaluation, run }: { readonly evaluation: Evaluation; readonly run: Run }) {
  const [asking, setAsking] = useState(false)
  const cancel = useCancelEvaluation(evaluation)
  const { completed, frozen } = run.progress
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Cancel evaluation
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={`Cancel “${evaluation.name}”?`}
        action="Cancel evaluation"
        dismiss="Keep running"
        onConfirm={() => cancel.mutateAsync()}
      >
        No further tasks are started; {formatCount(frozen - completed)} of {formatCount(frozen)} samples are not processed yet. What is
        scored stays, and so does what was charged: <Money microUsd={run.accounting.charged_microusd} />.
      </ConfirmDialog>
    </>
  )
}
