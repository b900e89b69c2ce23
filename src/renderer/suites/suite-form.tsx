import { Button, Checkbox, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Suite } from '../../contract/suites/suites.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { useBenchmarks } from '../catalog/catalog.queries.ts'
import { FormActions } from '../ui/forms/form-actions.tsx'
import { checkField, textField } from '../ui/forms/fields.ts'
import { IconButton } from '../ui/forms/icon-button.tsx'
import { IconX } from '../ui/pictures/icons.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { Balance } from './balance.tsx'
import { capabilitiesOf, type Selection, selectionsOf, sourcesOf, withoutSource } from './selection.ts'
import { SuiteCost } from './suite-cost.tsx'
import { useCreateSuite } from './suites.queries.ts'

interface SuiteFormProps {
  readonly previous: Suite | null
  readonly selection: Selection
  readonly onChange: (selection: Selection) => void
}

/** What the chosen tasks add up to, and the name under which they are frozen. */
export function SuiteForm({ previous, selection, onChange }: SuiteFormProps) {
  const navigate = useNavigate()
  const create = useCreateSuite()
  const [name, setName] = useState(previous?.name ?? '')
  const [description, setDescription] = useState(previous?.description ?? '')
  const [open, setOpen] = useState(previous?.visibility === 'public')
  const benchmarks = useBenchmarks('')
  const titles = new Map(benchmarks.data?.map(({ title, latest_version: latest }) => [latest?.source_ref, title]))
  const ready = name.trim() !== '' && selection.size > 0
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!ready) return
    create.mutate(
      {
        name: name.trim(),
        description: description.trim(),
        visibility: open ? 'public' : 'workspace',
        task_selections: selectionsOf(selection),
        previous_version_id: previous?.id ?? null,
      },
      { onSuccess: suite => void navigate(`/suites/${suite.id}`) },
    )
  }
  return (
    <form className="suites-chosen" onSubmit={submit} aria-label="Your suite">
      <section aria-label="Chosen tasks">
        <strong className="num">
          {formatCount(selection.size)} {selection.size === 1 ? 'task' : 'tasks'} chosen
        </strong>
        <ul className="suites-parts">
          {sourcesOf(selection).map(({ sourceRef, tasks }) => (
            <li key={sourceRef}>
              <span>
                <UntrustedText text={titles.get(sourceRef) ?? sourceRef} layout="prose" />{' '}
                <span className="quiet num">{formatCount(tasks)}</span>
              </span>
              <IconButton
                icon={IconX}
                iconSize={14}
                label={`Leave out ${showHidden(titles.get(sourceRef) ?? sourceRef)}`}
                onClick={() => onChange(withoutSource(selection, sourceRef))}
              />
            </li>
          ))}
        </ul>
      </section>
      <Balance counts={capabilitiesOf(selection)} tasks={selection.size} />
      {selection.size > 0 ? <SuiteCost selection={selection} /> : null}
      <TextInput label="Name" required maxLength={200} {...textField(name, setName)} />
      <Textarea label="Description" autosize minRows={2} maxRows={6} maxLength={5000} {...textField(description, setDescription)} />
      <Checkbox
        label="Show it to every workspace"
        description="Only where every workspace has its sources."
        {...checkField(open, setOpen)}
      />
      {create.isError ? <ErrorState error={create.error} title="The suite was not saved" /> : null}
      <FormActions>
        <Button type="submit" disabled={!ready} loading={create.isPending}>
          {previous ? `Save as version ${previous.version + 1}` : 'Save suite'}
        </Button>
      </FormActions>
    </form>
  )
}
