import { TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { type EvaluatorSnapshot, ServiceError } from '../../contract/index.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
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
  const limitError = limit === false ? 'Enter an amount such as 2.50' : limit === '0' ? 'Enter more than $0' : null
  const isLimitMissing =
    calibrate.error instanceof ServiceError && calibrate.error.detail.some(({ loc }) => loc.includes('max_charge_microusd'))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (versionId === null || limit === false || limit === '0') return
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
          error={limitError ?? (isLimitMissing && limit === null ? 'Required: the judge’s calls cost money' : undefined)}
          onChange={event => setDollars(event.currentTarget.value)}
        />
      ) : null}
      {calibrate.isError && !isLimitMissing ? <ErrorState error={calibrate.error} title="Couldn’t start the calibration" /> : null}
      <div>
        <ReasonedButton
          type="submit"
          loading={calibrate.isPending}
          blocked={versionId === null ? 'Choose a dataset version.' : limitError ? 'Correct the spending limit.' : null}
        >
          Calibrate
        </ReasonedButton>
      </div>
    </form>
  )
}
