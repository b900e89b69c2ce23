import { Modal, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import type { ExampleMapping, TraceSourceResult } from '../../contract/traces/sources.schemas.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { WithoutReasoning } from '../samples/reasoning.tsx'
import { DialogActions } from '../ui/forms/dialog-actions.tsx'
import { textField } from '../ui/forms/fields.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { notifyDone } from '../ui/page/notify.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { valuePaths } from './expected-paths.ts'
import { useAddTraces, useDatasetChoices, useExamplePreview, useTrace } from './traces.queries.ts'

interface AddToDatasetProps {
  readonly traceIds: readonly string[]
  readonly onClose: () => void
  readonly onAdded: () => void
}

const fields = ['input', 'output', 'expected'] as const
/** Value of the choice that makes a dataset; ids are UUIDs. */
const newDataset = 'new'
const hints = { input: 'Default: input of the trace', output: 'Default: output of the trace', expected: 'Default: none' } as const

/** Turns chosen traces into examples, with a preview of what they become. */
export function AddToDataset({ traceIds, onClose, onAdded }: AddToDatasetProps) {
  const navigate = useNavigate()
  const datasets = useDatasetChoices()
  const [chosen, setChosen] = useState<string | null>(null)
  const [newName, setNewName] = useState('')
  const open = (datasets.data ?? []).filter(({ archived }) => !archived)
  // Without a dataset there is nothing to choose among.
  const datasetId = chosen ?? (datasets.isSuccess && open.length === 0 ? newDataset : null)
  const isNew = datasetId === newDataset
  const [paths, setPaths] = useState({ input: '', output: '', expected: '' })
  const [settled] = useDebouncedValue(paths, 300)
  const first = useTrace(traceIds[0] ?? '').data
  const offered = useMemo(() => (first ? valuePaths(first) : []), [first])
  const preview = useExamplePreview(isNew ? null : datasetId, traceIds, mappingOf(settled))
  const add = useAddTraces()
  const submit = () => {
    if (datasetId === null) return
    const target = isNew ? { newName: newName.trim() } : { datasetId }
    add.mutate(
      // As chosen now: the preview may be a moment behind.
      { target, traceIds, mapping: mappingOf(paths) },
      {
        onSuccess: ({ datasetId: id, created, duplicates, skipped }) => {
          notifyDone(`Examples added: ${created}. Already there: ${duplicates}. Skipped: ${skipped}.`)
          onAdded()
          onClose()
          if (isNew) void navigate(`/datasets/${id}`)
        },
      },
    )
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Add ${traceIds.length === 1 ? 'this trace' : `${traceIds.length} traces`} to a dataset`}
      size="lg"
    >
      <div className="stack">
        {datasets.isError ? (
          <ErrorState error={datasets.error} title="Couldn’t load datasets" onRetry={() => void datasets.refetch()} />
        ) : null}
        <Select
          label="Dataset"
          required
          searchable
          data={[{ value: newDataset, label: 'New dataset' }, ...open.map(({ id, name }) => ({ value: id, label: name }))]}
          value={datasetId}
          onChange={setChosen}
        />
        {isNew ? <TextInput label="Name of the dataset" required maxLength={200} {...textField(newName, setNewName)} /> : null}
        <Select
          label="Expected answer"
          description="Where the first trace holds it; the others are read in the same place"
          placeholder={offered.length === 0 ? 'No value to choose' : 'None'}
          disabled={offered.length === 0}
          clearable
          searchable
          data={offered.map(({ path, title, example }) => ({ value: path, label: `${title}: ${showHidden(example.slice(0, 120))}` }))}
          value={offered.some(({ path }) => path === paths.expected) ? paths.expected : null}
          onChange={path => setPaths({ ...paths, expected: path ?? '' })}
        />
        <fieldset className="traces-mapping">
          <legend>Field mapping (JSONPath, optional)</legend>
          {fields.map(field => (
            <TextInput
              key={field}
              label={field[0]?.toUpperCase() + field.slice(1)}
              placeholder={hints[field]}
              {...textField(paths[field], text => setPaths({ ...paths, [field]: text }))}
            />
          ))}
        </fieldset>
        {preview.isError ? <ErrorState error={preview.error} title="This mapping can’t be used" reportable={false} /> : null}
        {preview.data ? <Preview {...preview.data} /> : null}
        {add.isError ? <ErrorState error={add.error} title="Couldn’t add the traces" /> : null}
        <DialogActions onCancel={onClose}>
          <ReasonedButton
            blocked={
              datasetId === null
                ? 'Choose a dataset.'
                : isNew && newName.trim() === ''
                  ? 'Enter the name of the dataset.'
                  : preview.isError
                    ? 'Correct the field mapping.'
                    : null
            }
            loading={add.isPending}
            onClick={submit}
          >
            Add to dataset
          </ReasonedButton>
        </DialogActions>
      </div>
    </Modal>
  )
}

/** Fields without a path are left to the defaults. */
function mappingOf(paths: Readonly<Record<(typeof fields)[number], string>>): ExampleMapping {
  return Object.fromEntries(fields.flatMap(field => (paths[field].trim() === '' ? [] : [[field, paths[field].trim()]])))
}

function Preview({ examples, skipped }: Pick<TraceSourceResult, 'examples' | 'skipped'>) {
  return (
    <section aria-label="Preview" className="traces-preview">
      <h3>Preview</h3>
      {examples.map(({ trace_id, input, output, expected }) => (
        <dl key={trace_id}>
          <dt>Input</dt>
          <dd>
            <UntrustedText text={asText(input)} />
          </dd>
          <dt>Output</dt>
          <dd>
            {output === null ? (
              <span className="quiet">none</span>
            ) : (
              <WithoutReasoning text={output}>{answer => <UntrustedText text={answer.slice(0, 2000)} />}</WithoutReasoning>
            )}
          </dd>
          <dt>Expected</dt>
          <dd>{expected === null ? <span className="quiet">none</span> : <UntrustedText text={asText(expected)} />}</dd>
        </dl>
      ))}
      {skipped.map(({ trace_id, reason }) => (
        <Notice key={trace_id} tone="warn" title="Skipped">
          {reason}
        </Notice>
      ))}
    </section>
  )
}

function asText(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value, null, 2)).slice(0, 2000)
}
