import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { type EvaluatorSnapshot, ServiceError } from '../../contract/index.ts'
import { DollarField } from '../ui/forms/dollar-field.tsx'
import { readDollars } from '../ui/forms/dollars.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { DatasetVersionField } from './dataset-version-field.tsx'
import { useCalibrate } from './evaluators.queries.ts'

const limitRules = { empty: 'None', above: '0' } as const

/** Starts a calibration: against which labels, and what its judges may cost. */
export function CalibrateForm({ evaluator }: { readonly evaluator: EvaluatorSnapshot }) {
  const navigate = useNavigate()
  const [versionId, setVersionId] = useState<string | null>(null)
  const [dollars, setDollars] = useState('')
  const calibrate = useCalibrate()
  const limit = readDollars(dollars, limitRules)
  const isLimitMissing =
    calibrate.error instanceof ServiceError && calibrate.error.detail.some(({ loc }) => loc.includes('max_charge_microusd'))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (versionId === null || limit.error !== null) return
    calibrate.mutate(
      {
        evaluator_version_id: evaluator.id,
        dataset_version_id: versionId,
        ...(limit.amount !== null && { max_charge_microusd: limit.amount }),
      },
      { onSuccess: ({ id }) => void navigate(`/evaluators/calibrations/${id}`) },
    )
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <DatasetVersionField value={versionId} onChange={setVersionId} />
      {evaluator.requires.model_calls_per_output > 0 ? (
        <DollarField
          label="Spending limit"
          description="For all judge calls; required if they have a known price"
          rules={limitRules}
          value={dollars}
          error={isLimitMissing && dollars.trim() === '' ? 'Required: the judge’s calls cost money' : null}
          onChange={setDollars}
        />
      ) : null}
      {calibrate.isError && !isLimitMissing ? <ErrorState error={calibrate.error} title="Couldn’t start the calibration" /> : null}
      <div>
        <ReasonedButton
          type="submit"
          loading={calibrate.isPending}
          blocked={versionId === null ? 'Choose a dataset version.' : limit.error !== null ? 'Correct the spending limit.' : null}
        >
          Calibrate
        </ReasonedButton>
      </div>
    </form>
  )
}
