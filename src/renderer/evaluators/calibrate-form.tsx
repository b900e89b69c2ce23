import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { ServiceError } from '../../contract/client.ts'
import type { DatasetVersion } from '../../contract/datasets/dataset-versions.schemas.ts'
import type { EvaluatorSnapshot } from '../../contract/evaluators/evaluators.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { useConnections } from '../connections/models.queries.ts'
import { DollarField } from '../ui/forms/dollar-field.tsx'
import { readDollars } from '../ui/forms/dollars.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { Money } from '../ui/values/figures.tsx'
import { DatasetVersionField } from './dataset-version-field.tsx'
import { calibrationQuoteQuery, useCalibrate } from './evaluators.queries.ts'
import { describeJudgeTime, judgeTimeMs } from './judge-time.ts'

const limitRules = { empty: 'None', above: '0' } as const

/** What the button would start. Without judges nothing is called. */
function JudgeCost({ evaluator, versionId }: { readonly evaluator: EvaluatorSnapshot; readonly versionId: string }) {
  const query = useQuery(calibrationQuoteQuery(evaluator.id, versionId))
  const connections = useConnections()
  return (
    <QueryView query={query} failure="Couldn’t quote the calibration">
      {({ examples, judge_calls: calls, estimated_microusd: price }) => (
        <p className="num" style={{ margin: 0 }}>
          {formatCount(examples)} examples
          {calls === 0
            ? ', no judge calls'
            : `, ${formatCount(calls)} judge calls, ${describeJudgeTime(judgeTimeMs(evaluator.definition, calls, connections.data ?? []))}, `}
          {calls === 0 ? null : <Money microUsd={price} within />}
        </p>
      )}
    </QueryView>
  )
}

interface CalibrateFormProps {
  readonly evaluator: EvaluatorSnapshot
  /** Absent: it is chosen in the form. */
  readonly version?: Pick<DatasetVersion, 'id'>
  readonly initialVersionId?: string | null
}

/** Starts a calibration: against which labels, and what its judges may cost. */
export function CalibrateForm({ evaluator, version, initialVersionId = null }: CalibrateFormProps) {
  const navigate = useNavigate()
  const [versionId, setVersionId] = useState(version?.id ?? initialVersionId)
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
      {version === undefined ? <DatasetVersionField value={versionId} onChange={setVersionId} /> : null}
      {versionId === null ? null : <JudgeCost evaluator={evaluator} versionId={versionId} />}
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
