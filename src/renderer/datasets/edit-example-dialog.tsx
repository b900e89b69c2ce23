import { Modal, Textarea } from '@mantine/core'
import { useState } from 'react'
import {
  type Example,
  ExampleExpected,
  ExampleInput,
  ExampleMetadata,
  ExampleOutput,
  type NewRevision,
} from '../../contract/datasets/examples.schemas.ts'
import type { z } from 'zod'
import { DialogActions } from '../ui/forms/dialog-actions.tsx'
import { textField } from '../ui/forms/fields.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { fieldText } from './dataset-words.ts'

const parts = [
  { field: 'input', label: 'Input', schema: ExampleInput },
  { field: 'output', label: 'Output', schema: ExampleOutput.nullable() },
  { field: 'expected', label: 'Expected', schema: ExampleExpected.nullable() },
  { field: 'metadata', label: 'Metadata', schema: ExampleMetadata },
] as const satisfies readonly { field: keyof Example; label: string; schema: z.ZodType }[]

type Field = (typeof parts)[number]['field']
type Texts = Readonly<Record<Field, string>>

interface EditExampleDialogProps {
  readonly example: Example
  readonly onClose: () => void
  /** @returns whether it was stored */
  readonly onSave: (changes: Omit<NewRevision, 'base_revision'>) => Promise<boolean>
}

/** Edits an example as a new revision: texts as text, anything else as JSON. */
export function EditExampleDialog({ example, onClose, onSave }: EditExampleDialogProps) {
  const first: Texts = {
    input: shown(example.input),
    output: shown(example.output),
    expected: shown(example.expected),
    metadata: shown(example.metadata),
  }
  const [texts, setTexts] = useState(first)
  const [busy, setBusy] = useState(false)
  const read = parts.map(part => ({ ...part, ...readPart(example[part.field], texts[part.field], part.schema) }))
  const touched = read.filter(({ field }) => texts[field] !== first[field])
  const save = async (): Promise<void> => {
    setBusy(true)
    // Each value was parsed by the schema of its field.
    const changes = Object.fromEntries(touched.map(({ field, value }) => [field, value])) as Omit<NewRevision, 'base_revision'>
    if (await onSave(changes)) onClose()
    setBusy(false)
  }
  return (
    <Modal opened onClose={onClose} title="Edit example" size="lg">
      <div className="stack">
        <p className="quiet">
          Saving creates revision {example.revision + 1}, a draft without labels. Revision {example.revision} is kept.
        </p>
        {read.map(({ field, label, fault }) => (
          <Textarea
            key={field}
            label={label}
            autosize
            minRows={2}
            maxRows={14}
            error={fault}
            {...(field === 'output' ? { 'data-autofocus': true } : {})}
            {...textField(texts[field], text => setTexts({ ...texts, [field]: text }))}
          />
        ))}
        <DialogActions onCancel={onClose}>
          <ReasonedButton
            blocked={touched.length === 0 ? 'Nothing has changed.' : (read.find(({ fault }) => fault !== null)?.fault ?? null)}
            loading={busy}
            onClick={() => void save()}
          >
            Save revision
          </ReasonedButton>
        </DialogActions>
      </div>
    </Modal>
  )
}

function shown(value: unknown): string {
  return value === null ? '' : fieldText(value)
}

/** Text where it was text or nothing; else JSON that the field takes. */
function readPart(before: unknown, text: string, schema: z.ZodType): { readonly value: unknown; readonly fault: string | null } {
  if (before === null && text === '') return { value: null, fault: null }
  let value: unknown = text
  if (typeof before === 'object' && before !== null) {
    try {
      value = JSON.parse(text)
    } catch {
      return { value: null, fault: 'Not valid JSON' }
    }
  }
  const parsed = schema.safeParse(value)
  return parsed.success ? { value, fault: null } : { value: null, fault: parsed.error.issues[0]?.message ?? 'Not possible here' }
}
