import { MultiSelect, Select, SimpleGrid } from '@mantine/core'
import type { ImportRecord } from '../../contract/catalog/imports.schemas.ts'
import { Section } from '../ui/page/page-header.tsx'
import { AnswerKeyChoice } from './answer-key-choice.tsx'
import { choiceColumns, type Mapping, type MappingField, singleFields, toChoices, toMedia } from './import-form.ts'
import { SplitChoice } from './split-choice.tsx'

interface MappingFormProps {
  readonly columns: readonly string[]
  readonly fields: readonly MappingField[]
  readonly mapping: Mapping
  readonly answerKey: ImportRecord['answer_key']
  readonly splits: ImportRecord['splits']
  readonly onChange: (change: Mapping) => void
}

/** Which column holds what. An empty choice says that the file has no such column. */
export function MappingForm({ columns, fields, mapping, answerKey, splits, onChange }: MappingFormProps) {
  if (fields.length === 0) return null
  return (
    <Section title="Columns">
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
              allowDeselect={!required}
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
