import './datasets.css'
import { MultiSelect, Select, TextInput } from '@mantine/core'
import type { Dataset } from '../../contract/datasets/datasets.schemas.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { textField } from '../ui/forms/fields.ts'
import { Section } from '../ui/page/page-header.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { taskWords } from './dataset-words.ts'
import { type ChosenColumns, hasPairs } from './import-form.ts'

interface ColumnFieldsProps {
  readonly dataset: Dataset
  readonly columns: readonly string[]
  readonly chosen: ChosenColumns
  readonly onChange: (chosen: ChosenColumns) => void
}

/** Which column holds what. Columns that are not chosen become metadata. */
export function ColumnFields({ dataset, columns, chosen, onChange }: ColumnFieldsProps) {
  const data = columns.map(value => ({ value, label: showHidden(value) }))
  const one = (name: 'output' | 'output_a' | 'output_b' | 'expected' | 'id', label: string, description: string, required = false) => (
    <Select
      label={label}
      description={description}
      required={required}
      data={data}
      clearable={!required}
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      value={chosen[name]}
      onChange={value => onChange({ ...chosen, [name]: value })}
    />
  )
  const taken = new Set([...chosen.input, chosen.output, chosen.output_a, chosen.output_b, chosen.expected, chosen.id, ...chosen.labels])
  const rest = columns.filter(column => !taken.has(column))
  return (
    <Section title="Columns">
      {dataset.task !== 'pairwise' && hasPairs(columns) ? (
        <Notice tone="warn" title="This file seems to compare two outputs">
          This dataset’s task is “{taskWords[dataset.task]}”. For labels that say which output is better, import it into a dataset with the
          task “{taskWords.pairwise}”.
        </Notice>
      ) : null}
      <div className="mapping-grid">
        <MultiSelect
          label="Input"
          description="Several columns become named fields."
          required
          data={data}
          value={[...chosen.input]}
          onChange={input => onChange({ ...chosen, input })}
        />
        {dataset.task === 'pairwise' && chosen.output !== null ? (
          one('output', 'Outputs', 'An object with “a” and “b”. Clear it to choose two columns.')
        ) : dataset.task === 'pairwise' ? (
          <>
            {one('output_a', 'Output a', 'The first of the two answers.', true)}
            {one('output_b', 'Output b', 'The second of the two answers.', true)}
          </>
        ) : (
          one('output', 'Output', 'What the model answered.')
        )}
        {one('expected', 'Expected', 'The reference answer.')}
        {one('id', 'Id', 'Kept with the origin of the example.')}
        <MultiSelect
          label="Labels"
          description="One column for each annotator."
          data={data}
          value={[...chosen.labels]}
          onChange={labels => onChange({ ...chosen, labels })}
        />
      </div>
      {rest.length > 0 ? (
        <p className="quiet" style={{ margin: 0 }}>
          Not used, kept as metadata: <UntrustedText text={rest.join(', ')} layout="inline" />
        </p>
      ) : null}
      {chosen.labels.length > 0 && dataset.labels ? (
        <div className="mapping-grid">
          {dataset.labels.map(label => (
            <TextInput
              key={label}
              label={`Value in the file for “${showHidden(label)}”`}
              placeholder={showHidden(label)}
              {...textField(chosen.values[label] ?? '', text => onChange({ ...chosen, values: { ...chosen.values, [label]: text } }))}
            />
          ))}
        </div>
      ) : null}
    </Section>
  )
}
