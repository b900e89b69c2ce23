import { Textarea } from '@mantine/core'
import { textField } from './fields.ts'

interface NameFieldProps {
  readonly label: string
  readonly value: string
  readonly disabled?: boolean
  readonly required?: boolean
  readonly onChange: (name: string) => void
}

/** A name that may be longer than the field is wide: it wraps, and Enter submits the form. */
export function NameField({ label, value, disabled = false, required = false, onChange }: NameFieldProps) {
  return (
    <Textarea
      label={label}
      autosize
      minRows={1}
      maxRows={4}
      maxLength={200}
      disabled={disabled}
      required={required}
      {...textField(value, text => onChange(text.replaceAll(/\s*\n\s*/g, ' ')))}
      onKeyDown={event => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
        event.preventDefault()
        event.currentTarget.form?.requestSubmit()
      }}
    />
  )
}
