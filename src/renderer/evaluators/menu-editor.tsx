import { Button, Checkbox, TextInput } from '@mantine/core'
import type { MenuEntry } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import { textField } from '../ui/forms/fields.ts'
import { IconButton } from '../ui/forms/icon-button.tsx'
import { IconX } from '../ui/pictures/icons.tsx'

interface MenuEditorProps {
  readonly mode: 'classification' | 'score'
  readonly menu: readonly MenuEntry[]
  readonly onChange: (menu: readonly MenuEntry[]) => void
}

/** The allowed verdicts, one per row. */
export function MenuEditor({ mode, menu, onChange }: MenuEditorProps) {
  const change = (index: number, changes: Partial<MenuEntry>) =>
    onChange(menu.map((entry, i) => (i === index ? { ...entry, ...changes } : entry)))
  const stated = menu.some(({ passes }) => passes !== undefined)
  const isPass = (entry: MenuEntry, i: number) => (stated ? (entry.passes ?? false) : i === 0)
  return (
    <fieldset className="evaluators-rows">
      <legend>{mode === 'score' ? 'Scores' : 'Verdicts'}</legend>
      {menu.map((entry, i) => (
        // The place is the key: a verdict that is being typed has no other identity.
        <div key={i} className="evaluators-row">
          <TextInput
            aria-label={`${mode === 'score' ? 'Score' : 'Verdict'} ${i + 1}`}
            placeholder={mode === 'score' ? 'Number' : 'Verdict'}
            w={130}
            maxLength={80}
            {...textField(entry.value, text => change(i, { value: text }))}
          />
          <TextInput
            aria-label={`Meaning ${i + 1}`}
            placeholder="Meaning, shown to the judge"
            style={{ flex: 1 }}
            maxLength={2000}
            {...textField(entry.meaning, text => change(i, { meaning: text }))}
          />
          {mode === 'classification' ? (
            <Checkbox
              label="Pass"
              checked={isPass(entry, i)}
              onChange={event => {
                const { checked } = event.currentTarget
                onChange(menu.map((one, at) => ({ ...one, passes: at === i ? checked : isPass(one, at) })))
              }}
            />
          ) : null}
          <IconButton
            icon={IconX}
            label={`Remove ${entry.value || `row ${i + 1}`}`}
            onClick={() => onChange(menu.filter((_, at) => at !== i))}
          />
        </div>
      ))}
      <Button
        variant="default"
        size="compact-sm"
        w="fit-content"
        disabled={menu.length >= 30}
        onClick={() => onChange([...menu, { value: '', meaning: '', ...(mode === 'classification' && stated && { passes: false }) }])}
      >
        {mode === 'score' ? 'Add score' : 'Add verdict'}
      </Button>
    </fieldset>
  )
}
