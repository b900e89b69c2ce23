import { MultiSelect } from '@mantine/core'
import { AddModelsButton } from '../connections/add-models-button.tsx'
import { modelOf, valueOf } from './model-value.ts'
import type { ModelChoice } from './use-model-choice.ts'

interface MoreModelsFieldProps {
  readonly choice: ModelChoice
  readonly first: string | null
  readonly value: readonly string[]
  /** Values to choose beside those chosen, or instead of them. */
  readonly onChange: (change: (before: readonly string[]) => readonly string[]) => void
}

/** A group has at most ten runs. */
const mostOthers = 9

/** Models that run on the same tasks and are compared with the first. */
export function MoreModelsField({ choice: { options }, first, value, onChange }: MoreModelsFieldProps) {
  if (!options) return null
  const lead = first === null ? null : modelOf(first)
  return (
    <>
      <MultiSelect
        label="Compare with"
        description="More models to run on the same tasks"
        placeholder={value.length === 0 ? 'Optional' : ''}
        searchable
        clearable
        maxValues={mostOthers}
        value={[...value]}
        onChange={values => onChange(() => values)}
        // The list itself scrolls: a separate scroll region would be unreachable by keyboard.
        withScrollArea={false}
        styles={{ options: { maxHeight: 'min(360px, 35dvh)', overflowY: 'auto' } }}
        nothingFoundMessage="No matching models"
        data={options
          .filter(option => option.value !== first)
          .map(option => ({ value: option.value, label: option.label, disabled: option.reasons.length > 0 }))}
      />
      {lead?.kind === 'connection' ? (
        <AddModelsButton
          connectionId={lead.connection_id}
          chosen={value.map(modelOf).flatMap(one => (one.kind === 'connection' ? one.connection_id : []))}
          room={mostOthers - value.length}
          onReady={id => onChange(before => [...new Set([...before, valueOf({ kind: 'connection', connection_id: id })])])}
        />
      ) : null}
    </>
  )
}
