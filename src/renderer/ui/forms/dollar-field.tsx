import './dollar-field.css'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { type DollarRules, isUnfinished, readDollars } from './dollars.ts'

interface DollarFieldProps {
  readonly label: string
  readonly description?: string
  /** As typed; the form reads it by `readDollars` with the same rules. */
  readonly value: string
  readonly onChange: (typed: string) => void
  readonly rules?: DollarRules
  /** Shown once the form was sent, or by the service; what is wrong with the amount itself the field tells as it is typed. */
  readonly error?: string | null | undefined
  readonly placeholder?: string
}

/** The one field for an amount of dollars. */
export function DollarField({ label, description, value, onChange, rules, error, placeholder }: DollarFieldProps) {
  const [edited, setEdited] = useState(false)
  const reading = readDollars(value, rules)
  const isRequired = rules?.empty === undefined
  const isEarly = value.trim() === '' ? !edited : isUnfinished(value)
  return (
    <TextInput
      className="dollar-field"
      label={label}
      description={description}
      withAsterisk={isRequired}
      aria-required={isRequired}
      inputMode="decimal"
      autoComplete="off"
      leftSection="$"
      leftSectionProps={{ 'aria-hidden': true }}
      placeholder={placeholder ?? rules?.empty ?? ''}
      value={value}
      error={(isEarly ? null : reading.error) ?? error}
      onChange={event => {
        setEdited(true)
        onChange(event.currentTarget.value)
      }}
    />
  )
}
