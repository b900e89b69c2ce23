import { Select, SimpleGrid } from '@mantine/core'
import { Section } from '../ui/page/page-header.tsx'
import { type Mapping, mappingFields } from './import-form.ts'

interface MappingFormProps {
  readonly columns: readonly string[]
  readonly mapping: Mapping
  readonly onChange: (change: Mapping) => void
}

/** Which column holds what. An empty choice says that the file has no such column. */
export function MappingForm({ columns, mapping, onChange }: MappingFormProps) {
  return (
    <Section title="Columns">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
        {mappingFields.map(({ field, label, help, required }) => (
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
