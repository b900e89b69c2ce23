import { MultiSelect, Select } from '@mantine/core'
import type { ImportRecord } from '../../contract/catalog/imports.schemas.ts'
import type { Mapping } from './import-form.ts'

interface SplitChoiceProps {
  readonly columns: readonly string[]
  readonly mapping: Mapping
  readonly splits: ImportRecord['splits']
  readonly onChange: (change: Mapping) => void
}

/** Which rows are tasks, which are few-shot examples, and which are left out. */
export function SplitChoice({ columns, mapping, splits, onChange }: SplitChoiceProps) {
  const split = mapping.split ?? null
  const values = splits.map(({ value }) => value)
  const named = (list: readonly string[]): string[] | undefined => (list.length === 0 ? undefined : [...list])
  return (
    <>
      <Select
        label="Split"
        description="Which part of the data a row belongs to."
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        clearable
        clearButtonProps={{ 'aria-label': 'No split' }}
        placeholder="None: all are tasks"
        searchable={columns.length > 8}
        data={[...columns]}
        value={split?.column ?? null}
        onChange={column => onChange({ split: column === null ? null : { column } })}
      />
      {split ? (
        <>
          <MultiSelect
            label="Task rows"
            description="Rows with these values become tasks."
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            placeholder={split.tasks ? '' : 'All but the examples'}
            data={values}
            value={split.tasks ?? []}
            onChange={tasks => onChange({ split: { ...split, tasks: named(tasks) } })}
          />
          <MultiSelect
            label="Example rows"
            description="Rows with these values become few-shot examples."
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            placeholder={split.examples ? '' : 'None'}
            data={values}
            value={split.examples ?? []}
            onChange={examples => onChange({ split: { ...split, examples: named(examples) } })}
          />
        </>
      ) : null}
    </>
  )
}
