import { Group, Modal, NumberInput, Select, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Dataset, NewDataset } from '../../contract/datasets/datasets.schemas.ts'
import { DialogActions } from '../ui/forms/dialog-actions.tsx'
import { textField } from '../ui/forms/fields.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { taskWords } from './dataset-words.ts'
import { useCreateDataset } from './datasets.queries.ts'

const taskDescriptions: Readonly<Record<Dataset['task'], string>> = {
  answer: 'Annotators say whether an answer passes.',
  classify: 'Annotators choose one of your labels.',
  pairwise: 'Annotators say which of two outputs is better: a, b or tie.',
  score: 'Annotators give a number within a range.',
}
const tasks = Object.keys(taskWords) as Dataset['task'][] // the keys of the record above
const taskOptions = tasks.map(value => ({ value, label: taskWords[value] }))

export function NewDatasetDialog({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const navigate = useNavigate()
  const create = useCreateDataset()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [task, setTask] = useState<Dataset['task']>('answer')
  const [labels, setLabels] = useState<string[]>([])
  const [range, setRange] = useState<readonly [number, number]>([1, 5])
  const blocked =
    name.trim() === ''
      ? 'Enter a name.'
      : task === 'classify' && labels.length < 2
        ? 'Enter at least two labels.'
        : task === 'score' && range[0] >= range[1]
          ? 'The lowest score must be below the highest.'
          : null
  const submit = (): void => {
    const body: NewDataset = {
      name: name.trim(),
      description,
      task,
      ...(task === 'classify' ? { labels } : {}),
      ...(task === 'score' ? { score_range: [...range] } : {}),
    }
    create.mutate(body, { onSuccess: dataset => void navigate(`/datasets/${dataset.id}`) })
  }
  return (
    <Modal opened={opened} onClose={onClose} title="New dataset" size="md">
      <form
        className="stack"
        onSubmit={event => {
          event.preventDefault()
          if (blocked === null) submit()
        }}
      >
        <TextInput label="Name" required {...textField(name, setName)} />
        <Select
          label="Task"
          description={taskDescriptions[task]}
          data={taskOptions}
          value={task}
          onChange={value => setTask(tasks.find(one => one === value) ?? 'answer')}
        />
        {task === 'classify' ? (
          <TagsInput label="Labels" required description="Press Enter after each. At least two." value={labels} onChange={setLabels} />
        ) : null}
        {task === 'score' ? (
          <Group grow>
            <NumberInput label="Lowest score" value={range[0]} onChange={value => setRange([Number(value), range[1]])} />
            <NumberInput label="Highest score" value={range[1]} onChange={value => setRange([range[0], Number(value)])} />
          </Group>
        ) : null}
        <Textarea label="Description" autosize minRows={2} {...textField(description, setDescription)} />
        {create.error ? <ErrorState error={create.error} title="The dataset was not created" /> : null}
        <DialogActions onCancel={onClose}>
          <ReasonedButton type="submit" blocked={blocked} loading={create.isPending}>
            Create dataset
          </ReasonedButton>
        </DialogActions>
      </form>
    </Modal>
  )
}
