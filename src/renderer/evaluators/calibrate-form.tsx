import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import type { EvaluatorSnapshot } from '../../contract/index.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { DatasetVersionField } from './dataset-version-field.tsx'
import { useCalibrate } from './evaluators.queries.ts'
import { microUsdOf } from './spending-limit.ts'

/** Starts a calibration: against which labels, and what its judges may cost. */
export function CalibrateForm({ evaluator }: { readonly evaluator: EvaluatorSnapshot }) {
  const navigate = useNavigate()
  const [versionId, setVersionId] = useState<string | null>(null)
  const [dollars, setDollars] = useState('')
  const calibrate = useCalibrate()
  const limit = microUsdOf(dollars)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (versionId === null || limit === false) return
    calibrate.mutate(
      { evaluator_version_id: evaluator.id, dataset_version_id: versionId, ...(limit !== null && { max_charge_microusd: limit }) },
      { onSuccess: ({ id }) => void navigate(`/evaluators/calibrations/${id}`) },
    )
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <DatasetVersionField value={versionId} onChange={setVersionId} />
      {evaluator.requires.model_calls_per_output > 0 ? (
        <TextInput
          label="Spending limit"
          description="For all judge calls; required if they have a known price"
          leftSection="$"
          inputMode="decimal"
          w={220}
          value={dollars}
          error={limit === false ? 'Enter an amount such as 2.50' : undefined}
          onChange={event => setDollars(event.currentTarget.value)}
        />
      ) : null}
      {calibrate.isError ? <ErrorState error={calibrate.error} title="Couldn't start the calibration" /> : null}
      <div>
        <Button type="submit" loading={calibrate.isPending} disabled={versionId === null || limit === false}>
          Calibrate
        </Button>
      </div>
    </form>
  )
}
