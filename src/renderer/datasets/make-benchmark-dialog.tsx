import { Anchor, Modal, NumberInput, Select, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { DatasetVersion } from '../../contract/datasets/dataset-versions.schemas.ts'
import { benchmarkAddress } from '../catalog/catalog-links.ts'
import { evaluatorVersionsQuery, gradesOneOutput } from '../evaluators/evaluators.queries.ts'
import { DialogActions } from '../ui/forms/dialog-actions.tsx'
import { textField } from '../ui/forms/fields.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { datasetQuery, useMakeBenchmark } from './datasets.queries.ts'

/** Makes the version's examples the tasks of a benchmark that only this workspace sees. */
export function MakeBenchmarkDialog({ version, onClose }: { readonly version: DatasetVersion; readonly onClose: () => void }) {
  const navigate = useNavigate()
  const make = useMakeBenchmark(version.dataset_id, version.id)
  const evaluators = useQuery(evaluatorVersionsQuery)
  const dataset = useQuery(datasetQuery(version.dataset_id)).data
  const [typedName, setName] = useState<string | null>(null)
  const name = typedName ?? dataset?.name ?? version.name
  const [chosenId, setEvaluatorId] = useState<string | null>(null)
  const offered = (evaluators.data ?? []).filter(gradesOneOutput)
  // Of one there is nothing to choose.
  const evaluatorId = chosenId ?? (offered.length === 1 ? (offered[0]?.id ?? null) : null)
  const [prompt, setPrompt] = useState('{input}')
  const [system, setSystem] = useState('')
  const [tokens, setTokens] = useState<number | string>(2048)
  const blocked =
    name.trim() === ''
      ? 'Enter a name.'
      : evaluatorId === null
        ? 'Choose an evaluator.'
        : prompt.trim() === ''
          ? 'Write the prompt.'
          : typeof tokens !== 'number'
            ? 'Enter the max output tokens.'
            : null
  const submit = (): void => {
    if (blocked !== null || evaluatorId === null || typeof tokens !== 'number') return
    make.mutate(
      {
        name: name.trim(),
        evaluator_version_id: evaluatorId,
        prompt_template: prompt,
        system_prompt: system.trim() === '' ? null : system,
        max_output_tokens: tokens,
      },
      { onSuccess: ({ slug }) => void navigate(benchmarkAddress(slug)) },
    )
  }
  return (
    <Modal opened onClose={onClose} title="Make a benchmark" size="lg">
      <form
        className="stack"
        onSubmit={event => {
          event.preventDefault()
          submit()
        }}
      >
        <TextInput label="Name" required {...textField(name, setName)} />
        {evaluators.isError ? (
          <ErrorState error={evaluators.error} title="Couldn’t load evaluators" onRetry={() => void evaluators.refetch()} />
        ) : evaluators.data?.length === 0 ? (
          <p className="quiet">
            An evaluator says which answers pass.{' '}
            <Anchor component={Link} to="/evaluators/new" fz="inherit" underline="always">
              Create one
            </Anchor>{' '}
            first.
          </p>
        ) : (
          <Select
            label="Graded by"
            description="Gives the main metric. Add further evaluators when you quote a run"
            required
            searchable
            data={offered.map(({ id, name: title, version: number }) => ({ value: id, label: `${title} v${number}` }))}
            value={evaluatorId}
            onChange={setEvaluatorId}
          />
        )}
        <Textarea
          label="Prompt"
          description="{input} is the whole input, any other {name} a field of it"
          required
          autosize
          minRows={3}
          maxRows={12}
          {...textField(prompt, setPrompt)}
        />
        <Textarea label="System prompt" description="Optional" autosize minRows={1} maxRows={8} {...textField(system, setSystem)} />
        <NumberInput label="Max output tokens" w={200} min={1} max={1_000_000} allowDecimal={false} value={tokens} onChange={setTokens} />
        {make.error ? <ErrorState error={make.error} title="The benchmark was not made" /> : null}
        <DialogActions onCancel={onClose}>
          <ReasonedButton type="submit" blocked={blocked} loading={make.isPending}>
            Make benchmark
          </ReasonedButton>
        </DialogActions>
      </form>
    </Modal>
  )
}
