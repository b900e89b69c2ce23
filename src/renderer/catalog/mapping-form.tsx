import { Select, SimpleGrid } from '@mantine/core'
import { Section } from '../ui/page/page-header.tsx'
import { type Mapping, type MappingField, mappingFields } from './import-form.ts'

interface MappingFormProps {
  readonly columns: readonly string[]
  readonly fields: readonly MappingField[]
  readonly mapping: Mapping
  readonly onChange: (change: Mapping) => void
}

/** Which column holds what. An empty choice says that the file has no such column. */
export function MappingForm({ columns, fields, mapping, onChange }: MappingFormProps) {
  if (fields.length === 0) return null
  return (
    <Section title="Columns">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
        {mappingFields
          .filter(({ field }) => fields.includes(field))
          .map(({ field, label, help, required }) => (
            <Select
              key={field}
              label={label}
              description={help}
              inputWrapperOrder={['label', 'input', 'error', 'description']}
              withAsterisk={required}
              clearable={!required}
              placeholder={required ? 'Choose a column' : 'none'}
              searchable={columns.length > 8}
              clearButtonProps={{ 'aria-label': `No column for ${label.toLowerCase()}` }}
              data={[...columns]}
              value={mapping[field] || null}
              error={required && !mapping[field] ? 'Needed' : null}
              onChange={value => onChange({ [field]: value ?? '' })}
            />
          ))}
      </SimpleGrid>
    </Section>
  )
}
