import { MultiSelect, NumberInput, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { oneOf } from '../ui/table/use-address.ts'
import type { FieldsProps } from './definition-fields.tsx'
import type { PartRow } from './definition-form.ts'
import { evaluatorVersionsQuery } from './evaluators.queries.ts'

const optionsHeight = { options: { maxHeight: 320, overflowY: 'auto' as const } }

export function CompositeFields({ form, onChange }: FieldsProps) {
  const query = useQuery(evaluatorVersionsQuery)
  const saved = query.data ?? []
  const title = (id: string) => {
    const part = saved.find(one => one.id === id)
    return part ? `${part.name} v${part.version}` : id
  }
  const change = (index: number, changes: Partial<PartRow>) =>
    onChange({ parts: form.parts.map((part, i) => (i === index ? { ...part, ...changes } : part)) })
  const choose = (ids: string[]) =>
    onChange({
      parts: ids.map(id => form.parts.find(part => part.evaluatorVersionId === id) ?? { evaluatorVersionId: id, weight: 1 }),
    })
  return (
    <>
      <Select
        label="Operation"
        data={[
          { value: 'all', label: 'All parts must pass' },
          { value: 'any', label: 'One part must pass' },
          { value: 'weighted', label: 'Weighted mean of the parts' },
        ]}
        value={form.operation}
        onChange={value => onChange({ operation: oneOf(value ?? '', ['all', 'any', 'weighted']) ?? 'all' })}
      />
      <MultiSelect
        label="Parts"
        placeholder={form.parts.length === 0 ? 'Choose saved evaluators' : ''}
        searchable
        withScrollArea={false}
        styles={optionsHeight}
        data={partOptions(saved, form.parts, title)}
        value={form.parts.map(part => part.evaluatorVersionId)}
        onChange={choose}
      />
      {form.operation === 'weighted' ? (
        <>
          {form.parts.map((part, i) => (
            <NumberInput
              key={part.evaluatorVersionId}
              label={`Weight of ${title(part.evaluatorVersionId)}`}
              w={280}
              min={0.001}
              max={1000}
              value={part.weight}
              onChange={value => change(i, { weight: Number(value) })}
            />
          ))}
          <NumberInput
            label="Pass threshold"
            description="An output passes from this mean on; empty keeps the mean as the score"
            w={280}
            min={0}
            max={1}
            step={0.05}
            value={form.passThreshold ?? ''}
            onChange={value => onChange({ passThreshold: value === '' ? null : Number(value) })}
          />
        </>
      ) : null}
    </>
  )
}

/** Saved evaluators, and parts that are older versions, which the list does not hold. */
function partOptions(
  saved: readonly { readonly id: string }[],
  parts: readonly PartRow[],
  title: (id: string) => string,
): { value: string; label: string }[] {
  const ids = new Set([...saved.map(({ id }) => id), ...parts.map(part => part.evaluatorVersionId)])
  return [...ids].map(id => ({ value: id, label: title(id) }))
}
