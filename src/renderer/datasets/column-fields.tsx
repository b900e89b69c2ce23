import './datasets.css'
import { MultiSelect, Select, TextInput } from '@mantine/core'
import type { Dataset } from '../../contract/index.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { Section } from '../ui/page/page-header.tsx'
import type { ChosenColumns } from './import-form.ts'

interface ColumnFieldsProps {
  readonly dataset: Dataset
  readonly columns: readonly string[]
  readonly chosen: ChosenColumns
  readonly onChange: (chosen: ChosenColumns) => void
}

/** Which column holds what. Columns that are not chosen become metadata. */
export function ColumnFields({ dataset, columns, chosen, onChange }: ColumnFieldsProps) {
  const data = columns.map(value => ({ value, label: showHidden(value) }))
  const one = (name: 'output' | 'output_a' | 'output_b' | 'expected' | 'id', label: string, required = false) => (
    <Select
      label={label}
      required={required}
      data={data}
      clearable={!required}
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      value={chosen[name]}
      onChange={value => onChange({ ...chosen, [name]: value })}
    />
  )
  return (
    <Section title="Columns">
      <div className="mapping-grid">
        <MultiSelect
          label="Input"
          description="Several columns become named fields."
          required
          data={data}
          value={[...chosen.input]}
          onChange={input => onChange({ ...chosen, input })}
        />
        {dataset.task === 'pairwise' ? (
          <>
            {one('output_a', 'Output a', true)}
            {one('output_b', 'Output b', true)}
          </>
        ) : (
          one('output', 'Output')
        )}
        {one('expected', 'Expected')}
        {one('id', 'Id')}
        <MultiSelect
          label="Labels"
          description="One column for each annotator."
          data={data}
          value={[...chosen.labels]}
          onChange={labels => onChange({ ...chosen, labels })}
        />
      </div>
      {chosen.labels.length > 0 && dataset.labels ? (
        <div className="mapping-grid">
          {dataset.labels.map(label => (
            <TextInput
              key={label}
              label={`Value in the file for “${showHidden(label)}”`}
              placeholder={showHidden(label)}
              value={chosen.values[label] ?? ''}
              onChange={event => onChange({ ...chosen, values: { ...chosen.values, [label]: event.currentTarget.value } })}
            />
          ))}
        </div>
      ) : null}
    </Section>
  )
}
