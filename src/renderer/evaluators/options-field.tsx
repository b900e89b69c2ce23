import { Textarea } from '@mantine/core'
import { textField } from '../ui/forms/fields.ts'
import type { DefinitionForm } from './definition-form.ts'
import { parseOptions } from './scorer-options.ts'

export interface OptionsFormProps {
  readonly form: Pick<DefinitionForm, 'options'>
  readonly onChange: (change: Pick<DefinitionForm, 'options'>) => void
}

/** Options as JSON. */
export function OptionsField({ form, onChange, description }: OptionsFormProps & { readonly description: string }) {
  return (
    <Textarea
      label="Options as JSON"
      description={description}
      autosize
      minRows={2}
      maxRows={12}
      styles={{ input: { fontFamily: 'var(--font-mono)', fontSize: 12 } }}
      error={parseOptions(form.options) === null ? 'Must be a JSON object, such as {}.' : null}
      {...textField(form.options, text => onChange({ options: text }))}
    />
  )
}
