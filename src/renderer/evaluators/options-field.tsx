import { Textarea } from '@mantine/core'
import type { FieldsProps } from './definition-fields.tsx'
import { parseOptions } from './scorer-options.ts'

/** Options as JSON. */
export function OptionsField({ form, onChange, description }: FieldsProps & { readonly description: string }) {
  return (
    <Textarea
      label="Options as JSON"
      description={description}
      autosize
      minRows={2}
      maxRows={12}
      styles={{ input: { fontFamily: 'var(--font-mono)', fontSize: 12 } }}
      value={form.options}
      error={parseOptions(form.options) === null ? 'Must be a JSON object, such as {}.' : null}
      onChange={event => onChange({ options: event.currentTarget.value })}
    />
  )
}
