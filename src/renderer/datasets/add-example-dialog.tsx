import { Modal, NumberInput, Select, Textarea } from '@mantine/core'
import { useRef, useState } from 'react'
import type { Dataset } from '../../contract/datasets/datasets.schemas.ts'
import { ExampleMetadata, type NewExample } from '../../contract/datasets/examples.schemas.ts'
import { DialogActions } from '../ui/forms/dialog-actions.tsx'
import { textField } from '../ui/forms/fields.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { notifyDone } from '../ui/page/notify.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { useDatasetChanges } from './datasets.queries.ts'

const empty = { input: '', output: '', outputB: '', expected: '', metadata: '' }
const noLabel = { label: null as string | number | null } // a label is chosen or typed below

/** One example by hand; the dialog stays open for the next one. */
export function AddExampleDialog({ dataset, onClose }: { readonly dataset: Dataset; readonly onClose: () => void }) {
  const { add } = useDatasetChanges(dataset.id)
  const [texts, setTexts] = useState(empty)
  const [{ label }, setLabel] = useState(noLabel)
  const first = useRef<HTMLTextAreaElement>(null)
  const isPair = dataset.task === 'pairwise'
  const metadata = readMetadata(texts.metadata)
  const blocked =
    texts.input.trim() === ''
      ? 'Enter an input.'
      : isPair && (texts.output === '' || texts.outputB === '')
        ? 'Enter both outputs.'
        : metadata === null
          ? 'Metadata must be a JSON object.'
          : null
  const field = (name: keyof typeof empty, title: string, more: { required?: boolean; error?: string | undefined } = {}) => (
    <Textarea
      label={title}
      autosize
      minRows={2}
      maxRows={10}
      {...more}
      {...(name === 'input' ? { ref: first } : {})}
      {...textField(texts[name], text => setTexts({ ...texts, [name]: text }))}
    />
  )
  const submit = (): void => {
    if (blocked !== null || metadata === null) return
    const output = isPair ? { a: texts.output, b: texts.outputB } : texts.output === '' ? null : texts.output
    const example: NewExample = { input: texts.input, output, expected: texts.expected === '' ? null : texts.expected, label, metadata }
    add.mutate(example, {
      onSuccess: ({ created }) => {
        notifyDone(created === 1 ? 'Example added as a draft.' : 'The dataset has an equal example already.')
        setTexts(empty)
        setLabel(noLabel)
        first.current?.focus()
      },
    })
  }
  return (
    <Modal opened onClose={onClose} title="Add example" size="lg">
      <form
        className="stack"
        onSubmit={event => {
          event.preventDefault()
          submit()
        }}
      >
        {field('input', 'Input', { required: true })}
        {field('output', isPair ? 'Output a' : 'Output', { required: isPair })}
        {isPair ? field('outputB', 'Output b', { required: true }) : null}
        {field('expected', 'Expected')}
        {dataset.labels ? (
          <Select
            label="Label"
            clearable
            data={dataset.labels}
            value={label === null ? null : String(label)}
            onChange={value => setLabel({ label: value })}
          />
        ) : null}
        {dataset.score_range ? (
          <NumberInput
            label={`Score, ${dataset.score_range[0]} to ${dataset.score_range[1]}`}
            w={200}
            min={dataset.score_range[0]}
            max={dataset.score_range[1]}
            value={label ?? ''}
            onChange={value => setLabel({ label: typeof value === 'number' ? value : null })}
          />
        ) : null}
        {field('metadata', 'Metadata (JSON)', { error: metadata === null ? 'Not a JSON object' : undefined })}
        {add.error ? <ErrorState error={add.error} title="The example was not added" /> : null}
        <DialogActions onCancel={onClose} cancel="Close">
          <ReasonedButton type="submit" blocked={blocked} loading={add.isPending}>
            Add example
          </ReasonedButton>
        </DialogActions>
      </form>
    </Modal>
  )
}

function readMetadata(text: string): NewExample['metadata'] | null {
  if (text.trim() === '') return {}
  try {
    return ExampleMetadata.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
