import { Button, Checkbox, NumberInput, TextInput } from '@mantine/core'
import type { Criterion } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import { checkField, textField } from '../ui/forms/fields.ts'
import { IconButton } from '../ui/forms/icon-button.tsx'
import { IconX } from '../ui/pictures/icons.tsx'

interface CriteriaEditorProps {
  readonly criteria: readonly Criterion[]
  readonly onChange: (criteria: readonly Criterion[]) => void
}

/** What a rubric checks, one criterion per row. */
export function CriteriaEditor({ criteria, onChange }: CriteriaEditorProps) {
  const change = (index: number, changes: Partial<Criterion>) =>
    onChange(criteria.map((criterion, i) => (i === index ? { ...criterion, ...changes } : criterion)))
  return (
    <fieldset className="evaluators-rows">
      <legend>Criteria</legend>
      {criteria.map((criterion, i) => (
        <div key={criterion.id} className="evaluators-row">
          <NumberInput
            aria-label={`Points of criterion ${i + 1}`}
            w={90}
            min={-1000}
            max={1000}
            value={criterion.points}
            onChange={value => change(i, { points: Number(value) })}
          />
          <TextInput
            aria-label={`Criterion ${i + 1}`}
            placeholder="What an output does"
            style={{ flex: 1 }}
            maxLength={4000}
            {...textField(criterion.text, text => change(i, { text }))}
          />
          <Checkbox label="Required" {...checkField(criterion.required, isChecked => change(i, { required: isChecked }))} />
          <IconButton icon={IconX} label={`Remove criterion ${i + 1}`} onClick={() => onChange(criteria.filter((_, at) => at !== i))} />
        </div>
      ))}
      <Button
        variant="default"
        size="compact-sm"
        w="fit-content"
        disabled={criteria.length >= 50}
        onClick={() => onChange([...criteria, { id: freeId(criteria), text: '', points: 1, required: false }])}
      >
        Add criterion
      </Button>
      <p className="small evaluators-hint">Points below 0 count against an output. Missing a required criterion scores 0.</p>
    </fieldset>
  )
}

/** The first id of c1, c2, … that no criterion has: ids stay as they are, since verdicts are stored under them. */
function freeId(criteria: readonly Criterion[]): string {
  const used = new Set(criteria.map(({ id }) => id))
  let n = 1
  while (used.has(`c${n}`)) n++
  return `c${n}`
}
