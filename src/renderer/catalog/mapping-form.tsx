import './imports.css'
import { Anchor, MultiSelect, Select, type SelectProps, SimpleGrid } from '@mantine/core'
import { useRef } from 'react'
import type { ImportRecord } from '../../contract/catalog/imports.schemas.ts'
import { Section } from '../ui/page/page-header.tsx'
import { IconCheck } from '../ui/pictures/icons.tsx'
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
  /** The file has no column of a usual name for its reference answers, and nothing was chosen. */
  readonly missing: 'target' | null
  readonly onChange: (change: Mapping) => void
}

/** Which column holds what, beside what each column has. An empty choice says that the file has no such column. */
export function MappingForm({ columns, samples, fields, mapping, answerKey, splits, missing, onChange }: MappingFormProps) {
  const target = useRef<HTMLInputElement>(null)
  if (fields.length === 0) return null
  const several = { columns, samples }
  const optionOf = columnOption(several)
  const withoutTarget = (): void => {
    // The button is gone with the next preview.
    target.current?.focus()
    onChange({ target: null })
  }
  return (
    <Section title="Columns">
      <div className="import-mapping">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          {singleFields
            .filter(({ field }) => fields.includes(field))
            .map(({ field, label, help, required }) => (
              <div key={field}>
                <Select
                  ref={field === 'target' ? target : null}
                  label={label}
                  description={help}
                  inputWrapperOrder={['label', 'input', 'error', 'description']}
                  withAsterisk={required || field === missing}
                  clearable={!required}
                  placeholder={required || field === missing ? 'Choose a column' : 'None'}
                  searchable={columns.length > 8}
                  clearButtonProps={{ 'aria-label': `No column for ${label.toLowerCase()}` }}
                  data={[...columns]}
                  renderOption={optionOf}
                  value={mapping[field] ?? null}
                  error={(required && !mapping[field]) || field === missing ? 'Required' : null}
                  onChange={value => onChange(field === 'input' ? { input: value ?? undefined } : { [field]: value })}
                />
                {field === missing ? (
                  <Anchor component="button" type="button" fz="xs" onClick={withoutTarget}>
                    No reference answers
                  </Anchor>
                ) : null}
              </div>
            ))}
          {fields.includes('choices') ? (
            <ColumnsField
              {...several}
              label="Answer choices"
              description="One column with a list, or one column for each choice, in order."
              none="None: open questions"
              most={26}
              value={choiceColumns(mapping)}
              onChange={value => onChange({ choices: toChoices(value), answer_key: undefined })}
            />
          ) : null}
          {fields.includes('groups') ? (
            <ColumnsField
              {...several}
              label="Groups"
              description="Results are broken down by these columns."
              most={5}
              value={mapping.groups ?? []}
              onChange={groups => onChange({ groups })}
            />
          ) : null}
          {fields.includes('media') ? (
            <ColumnsField
              {...several}
              label="Images, audio or documents"
              description="Columns with files or their names. Marks such as <image 1> place them in the question."
              most={10}
              value={Object.values(mapping.media ?? {})}
              onChange={chosen => onChange({ media: toMedia(chosen) })}
            />
          ) : null}
          {fields.includes('groups') ? <SplitChoice columns={columns} mapping={mapping} splits={splits} onChange={onChange} /> : null}
        </SimpleGrid>
        <ColumnSamples columns={columns} samples={samples} />
      </div>
      {answerKey ? <AnswerKeyChoice answerKey={answerKey} onChoose={form => onChange({ answer_key: form })} /> : null}
    </Section>
  )
}

interface ColumnsFieldProps extends ShownColumns {
  readonly label: string
  readonly description: string
  /** What no column means. */
  readonly none?: string
  readonly most: number
  readonly value: readonly string[]
  readonly onChange: (columns: string[]) => void
}

function ColumnsField({ columns, samples, label, description, none = 'None', most, value, onChange }: ColumnsFieldProps) {
  return (
    <MultiSelect
      label={label}
      description={description}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      clearable
      clearButtonProps={{ 'aria-label': `No ${label.toLowerCase()}` }}
      placeholder={value.length === 0 ? none : ''}
      searchable={columns.length > 8}
      maxValues={most}
      data={[...columns]}
      renderOption={columnOption({ columns, samples })}
      value={[...value]}
      onChange={onChange}
    />
  )
}

type ShownColumns = Pick<MappingFormProps, 'columns' | 'samples'>

/** A column in a list of options, with its first value, and whether it is chosen. */
const columnOption =
  ({ columns, samples }: ShownColumns): NonNullable<SelectProps['renderOption']> =>
  ({ option: { value: name }, checked = false }) => (
    <>
      <span className="import-column-chosen">{checked ? <IconCheck size={14} aria-hidden /> : null}</span>
      <span className="import-column">
        <UntrustedText text={name} layout="inline" />
        <span className="quiet small">
          <UntrustedText text={samples[columns.indexOf(name)] ?? ''} layout="inline" />
        </span>
      </span>
    </>
  )

/** What each column has, to tell which is which. */
function ColumnSamples({ columns, samples }: ShownColumns) {
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
  { id: 'name', title: 'Column', width: 130, rowHeader: true, cell: ({ name }) => <UntrustedText text={name} layout="inline" /> },
  { id: 'sample', title: 'First value', width: 160, grow: true, cell: ({ sample }) => <UntrustedText text={sample} layout="inline" /> },
]
