import { TextInput } from '@mantine/core'

interface DollarFieldProps {
  readonly label: string
  readonly description: string
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (typed: string) => void
}

/** An amount of dollars as it is typed; `parseDollars` reads it. */
export function DollarField({ label, description, value, error, onChange }: DollarFieldProps) {
  return (
    <TextInput
      className="quotes-dollars"
      label={label}
      description={description}
      inputMode="decimal"
      leftSection="$"
      value={value}
      error={error}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}
