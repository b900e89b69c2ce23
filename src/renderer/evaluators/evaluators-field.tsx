import { MultiSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { evaluatorVersionsQuery, gradesOneOutput } from './evaluators.queries.ts'

interface EvaluatorsFieldProps {
  readonly value: readonly string[]
  readonly error: string | undefined
  readonly onChange: (versionIds: string[]) => void
}

/** Saved evaluators that grade a run’s outputs beside the profiles’ own metrics. */
export function EvaluatorsField({ value, error, onChange }: EvaluatorsFieldProps) {
  const query = useQuery(evaluatorVersionsQuery)
  const usable = (query.data ?? []).filter(gradesOneOutput)
  return (
    <MultiSelect
      label="Evaluators"
      description="Additional metrics for every output; judge calls are included in the quote"
      placeholder={value.length === 0 ? 'None' : ''}
      searchable
      maxValues={10}
      withScrollArea={false}
      styles={{ options: { maxHeight: 320, overflowY: 'auto' } }}
      data={usable.map(({ id, name, version }) => ({ value: id, label: `${name} v${version}` }))}
      value={[...value]}
      error={error}
      onChange={onChange}
      nothingFoundMessage="No evaluators yet"
    />
  )
}
