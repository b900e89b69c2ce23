import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { useEvaluatorOptions } from './evaluators.queries.ts'
import { OptionsField, type OptionsFormProps } from './options-field.tsx'
import { scorerItems } from './scorer-groups.ts'
import { ScorerOptionsFields } from './scorer-options-fields.tsx'

const optionsHeight = { options: { maxHeight: 320, overflowY: 'auto' as const } }

interface ScorerFieldProps {
  readonly scorer: string
  readonly error?: ReactNode
  readonly onChange: (scorer: string) => void
}

/** Which scorer grades, by what it is for. */
export function ScorerField({ scorer, error, onChange }: ScorerFieldProps) {
  const { data } = useEvaluatorOptions()
  const chosen = data?.scorers.find(({ id }) => id === scorer)
  return (
    <Select
      label="Scorer"
      searchable
      withScrollArea={false}
      styles={optionsHeight}
      data={scorerItems(data?.scorers ?? [], scorer)}
      value={scorer}
      error={error}
      onChange={value => value !== null && value !== scorer && onChange(value)}
      description={chosen?.equals ? `${chosen.description} Equals ${chosen.equals}.` : chosen?.description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    />
  )
}

/** The options of a scorer: fields where it declares them, JSON where it is not known. */
export function OptionsOfScorer({ scorer, ...props }: OptionsFormProps & { readonly scorer: string }) {
  const { data, isError } = useEvaluatorOptions()
  const chosen = data?.scorers.find(({ id }) => id === scorer)
  if (!data && !isError) return null
  return chosen ? (
    <ScorerOptionsFields key={chosen.id} {...props} schema={chosen.options_schema} />
  ) : (
    <OptionsField {...props} description="{} uses all defaults" />
  )
}
