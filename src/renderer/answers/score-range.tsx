import { Checkbox, NumberInput, SimpleGrid } from '@mantine/core'
import type { AnswerMapping } from '../../contract/answers/answers.schemas.ts'
import { checkField } from '../ui/forms/fields.ts'
import { withSetting } from './answers-form.ts'

interface ScoreRangeProps {
  readonly mapping: AnswerMapping
  readonly onChange: (mapping: AnswerMapping) => void
}

/** What the values of a score column mean. */
export function ScoreRange({ mapping, onChange }: ScoreRangeProps) {
  const numberOf = (value: string | number): number | undefined => (typeof value === 'number' ? value : undefined)
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
      <NumberInput
        label="Lowest score"
        placeholder="0"
        value={mapping.lowest_score ?? ''}
        onChange={value => onChange(withSetting(mapping, { lowest_score: numberOf(value) }))}
      />
      <NumberInput
        label="Highest score"
        placeholder="1"
        value={mapping.highest_score ?? ''}
        onChange={value => onChange(withSetting(mapping, { highest_score: numberOf(value) }))}
      />
      <Checkbox
        label="Right or wrong only"
        description="Every score is the highest or the lowest."
        {...checkField(mapping.binary_score ?? false, isChecked =>
          onChange(withSetting(mapping, { binary_score: isChecked || undefined })),
        )}
      />
    </SimpleGrid>
  )
}
