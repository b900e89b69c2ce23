import { MultiSelect } from '@mantine/core'
import type { ModelChoice } from './use-model-choice.ts'

interface MoreModelsFieldProps {
  readonly choice: ModelChoice
  readonly first: string | null
  readonly value: readonly string[]
  readonly onChange: (value: readonly string[]) => void
}

/** A group has at most ten runs. */
const mostOthers = 9

/** Models that run on the same tasks and are compared with the first. */
export function MoreModelsField({ choice: { options }, first, value, onChange }: MoreModelsFieldProps) {
  if (!options) return null
  return (
    <MultiSelect
      label="Compare with"
      description="More models to run on the same tasks"
      placeholder={value.length === 0 ? 'Optional' : ''}
      searchable
      clearable
      maxValues={mostOthers}
      value={[...value]}
      onChange={onChange}
      // The list itself scrolls: a separate scroll region would be unreachable by keyboard.
      withScrollArea={false}
      styles={{ options: { maxHeight: 'min(360px, 35dvh)', overflowY: 'auto' } }}
      nothingFoundMessage="No matching models"
      data={options
        .filter(option => option.value !== first)
        .map(option => ({ value: option.value, label: option.label, disabled: option.reasons.length > 0 }))}
    />
  )
}
