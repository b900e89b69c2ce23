import './imports.css'
import { MultiSelect, Select, SimpleGrid } from '@mantine/core'
import type { ImportRecord } from '../../contract/catalog/imports.schemas.ts'
import { Section } from '../ui/page/page-header.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { AnswerKeyChoice } from './answer-key-choice.tsx'
import { choiceColumns, type Mapping, type MappingField, singleFields, toChoices, toMedia } from './import-form.ts'
import { SplitChoice } from './split-choice.tsx'

interface MappingFormProps {
  readonly columns: readonly string[]
  /** The beginning of the first value of each, in the same order. */
  readonly samples: readonly string[]
  readonly fields: readonly MappingField[]
  readonly mapping: Mapping
  readonly answerKey: ImportRecord['answer_key']
  readonly splits: ImportRecord['splits']
  readonly onChange: (change: Mapping) => void
}

/** Which column holds what. An empty choice says that the file has no such column. */
export function MappingForm({ columns, samples, fields, mapping, answerKey, splits, onChange }: MappingFormProps) {
  if (fields.length === 0) return null
  return (
    <Section title="Columns">
      <ColumnSamples columns={columns} samples={samples} />
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
        {singleFields
          .filter(({ field }) => fields.includes(field))
          .map(({ field, label, help, required }) => (
            <Select
              key={field}
              label={label}
              description={help}
              inputWrapperOrder={['label', 'input', 'error', 'description']}
              withAsterisk={required}
              clearable={!required}
              placeholder={required ? 'Choose a column' : 'None'}
              searchable={columns.length > 8}
              clearButtonProps={{ 'aria-label': `No column for ${label.toLowerCase()}` }}
              data={[...columns]}
              value={mapping[field] ?? null}
              error={required && !mapping[field] ? 'Required' : null}
              onChange={value => onChange(field === 'input' ? { input: value ?? undefined } : { [field]: value })}
            />
          ))}
        {fields.includes('choices') ? (
          <MultiSelect
            label="Answer choices"
            description="One column with a list, or one column for each choice, in order."
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            clearable
            clearButtonProps={{ 'aria-label': 'No answer choices' }}
            placeholder={choiceColumns(mapping).length === 0 ? 'None: open questions' : ''}
            searchable={columns.length > 8}
            maxValues={26}
            data={[...columns]}
            value={[...choiceColumns(mapping)]}
            onChange={value => onChange({ choices: toChoices(value), answer_key: undefined })}
          />
        ) : null}
        {fields.includes('groups') ? (
          <MultiSelect
            label="Groups"
            description="Results are broken down by these columns."
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            clearable
            clearButtonProps={{ 'aria-label': 'No groups' }}
            placeholder={(mapping.groups ?? []).length === 0 ? 'None' : ''}
            searchable={columns.length > 8}
            maxValues={5}
            data={[...columns]}
            value={mapping.groups ?? []}
            onChange={groups => onChange({ groups })}
          />
        ) : null}
        {fields.includes('media') ? (
          <MultiSelect
            label="Images, audio or documents"
            description="Columns with files or their names. Marks such as <image 1> place them in the question."
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            clearable
            clearButtonProps={{ 'aria-label': 'No images, audio or documents' }}
            placeholder={Object.keys(mapping.media ?? {}).length === 0 ? 'None' : ''}
            searchable={columns.length > 8}
            maxValues={10}
            data={[...columns]}
            value={Object.values(mapping.media ?? {})}
            onChange={chosen => onChange({ media: toMedia(chosen) })}
          />
        ) : null}
        {fields.includes('groups') ? <SplitChoice columns={columns} mapping={mapping} splits={splits} onChange={onChange} /> : null}
      </SimpleGrid>
      {answerKey ? <AnswerKeyChoice answerKey={answerKey} onChoose={form => onChange({ answer_key: form })} /> : null}
    </Section>
  )
}

/** What each column has, to tell which is which. */
function ColumnSamples({ columns, samples }: Pick<MappingFormProps, 'columns' | 'samples'>) {
  if (samples.length === 0) return null
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what may scroll must be reachable by keyboard
    <section className="import-samples" tabIndex={0} aria-label="Columns of the file">
      <PlainTable
        label="Columns and their first values"
        columns={sampleColumns}
        rows={columns.map((name, i) => ({ name, sample: samples[i] ?? '' }))}
        rowId={({ name }) => name}
      />
    </section>
  )
}

const sampleColumns: readonly Column<{ readonly name: string; readonly sample: string }>[] = [
  { id: 'name', title: 'Column', width: 200, rowHeader: true, cell: ({ name }) => <UntrustedText text={name} layout="inline" /> },
  { id: 'sample', title: 'First value', width: 400, grow: true, cell: ({ sample }) => <UntrustedText text={sample} layout="inline" /> },
]
