import { Autocomplete, TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import type { DatasetVersion } from '../../contract/datasets/dataset-versions.schemas.ts'
import type { Example } from '../../contract/datasets/examples.schemas.ts'
import type { EvaluatorSnapshot } from '../../contract/evaluators/evaluators.schemas.ts'
import { call } from '../api/client.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { useCalibrate, useSaveEvaluator } from './evaluators.queries.ts'

const scorer = 'assay/recorded_verdict'
const usualPasses = ['pass', 'yes', 'true', 'correct', 'C']

interface RecordedVerdictsFormProps {
  readonly version: Pick<DatasetVersion, 'id' | 'dataset_id'>
  /** Saved ones: the same reading of the same field is saved once. */
  readonly evaluators: readonly EvaluatorSnapshot[]
}

/** Calibrates verdicts that the examples hold: what another tool's judge said, without calling it again. */
export function RecordedVerdictsForm({ version, evaluators }: RecordedVerdictsFormProps) {
  const navigate = useNavigate()
  const [given, setField] = useState('')
  const [passes, setPasses] = useState(usualPasses)
  const save = useSaveEvaluator()
  const calibrate = useCalibrate()
  const field = given.trim()
  const examples = useQuery({
    queryKey: ['datasets', version.dataset_id, 'metadata fields'],
    queryFn: ({ signal }) => call('listExamples', { params: { dataset_id: version.dataset_id }, query: { limit: 20 } }, { signal }),
  })
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (field === '') return
    const options = { field, passes }
    const saved = evaluators.find(
      ({ definition: one }) => one.kind === 'deterministic' && one.scorer === scorer && isSame(one.options, options),
    )
    const definition = { kind: 'deterministic' as const, scorer, options, target_from: 'expected' as const }
    const evaluator =
      saved ??
      (await save.mutateAsync({
        name: `Recorded verdicts: ${field}`.slice(0, 200),
        description: '',
        previous_version_id: null,
        definition,
      }))
    const { id } = await calibrate.mutateAsync({ evaluator_version_id: evaluator.id, dataset_version_id: version.id })
    void navigate(`/evaluators/calibrations/${id}`)
  }
  const error = save.error ?? calibrate.error
  return (
    // Both errors are shown below.
    <form className="stack" onSubmit={event => void submit(event).catch(() => undefined)} noValidate>
      <Autocomplete
        label="Metadata field"
        description="Holds the recorded verdict of each example. A dot leads into an object: labels.quality"
        required
        maxLength={200}
        data={fieldsOf(examples.data?.items ?? [])}
        value={given}
        onChange={setField}
      />
      <TagsInput
        label="Words that pass"
        description="Other words fail. Labels of the dataset are compared as they are."
        placeholder="Type a word and press Enter"
        splitChars={[]}
        value={passes}
        onChange={setPasses}
      />
      <p className="quiet" style={{ margin: 0 }}>
        No model is called.
      </p>
      {error ? <ErrorState error={error} title="Couldn’t start the calibration" /> : null}
      <div>
        <ReasonedButton
          type="submit"
          loading={save.isPending || calibrate.isPending}
          blocked={field === '' ? 'Name the metadata field.' : null}
        >
          Calibrate
        </ReasonedButton>
      </div>
    </form>
  )
}

function isSame({ field, passes = usualPasses, lowest = 0, highest = 1 }: Readonly<Record<string, unknown>>, wanted: object): boolean {
  return lowest === 0 && highest === 1 && JSON.stringify({ field, passes }) === JSON.stringify(wanted)
}

/** Fields that hold a text, a number or a truth value, in objects as well. */
function fieldsOf(examples: readonly Pick<Example, 'metadata'>[]): string[] {
  const fields = (values: object, path: string): string[] =>
    Object.entries(values).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null
        ? path === '' && !Array.isArray(value)
          ? fields(value, `${name}.`)
          : []
        : value === null
          ? []
          : [`${path}${name}`],
    )
  return [...new Set(examples.flatMap(({ metadata }) => fields(metadata, '')))].sort()
}
