import './evaluators.css'
import { Button, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { EvaluatorDefinition, evaluatorKinds } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import type { EvaluatorSnapshot } from '../../contract/evaluators/evaluators.schemas.ts'
import { FormActions } from '../ui/forms/form-actions.tsx'
import { textField } from '../ui/forms/fields.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { notifyDone } from '../ui/page/notify.ts'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { oneOf, useAddress } from '../ui/table/use-address.ts'
import { DefinitionFields } from './definition-fields.tsx'
import { type DefinitionForm, definitionOf, emptyForm, formOf } from './definition-form.ts'
import { evaluatorQuery, useSaveEvaluator } from './evaluators.queries.ts'
import { kindWords } from './evaluators-words.ts'
import { LivePreview } from './live-preview.tsx'

/**
 * A new evaluator, of a `kind` that the address may name, or with `from` the next version of one. A draft's candidate comes in the
 * history entry. `version` is the dataset version that it is made for: the preview shows it, and the saved evaluator is calibrated on it.
 */
export function EvaluatorEditorPage() {
  const { get } = useAddress()
  const from = get('from')
  const { state } = useLocation()
  // What the draft page put there; anything else in a history entry is left alone.
  const drafted = typeof state === 'object' && state !== null && 'definition' in state ? definitionFrom(state.definition) : null
  return from === '' ? (
    <Editor previous={null} initial={drafted ?? { ...emptyForm, kind: oneOf(get('kind'), evaluatorKinds) ?? emptyForm.kind }} />
  ) : (
    <NextVersion id={from} />
  )
}

function NextVersion({ id }: { readonly id: string }) {
  const query = useQuery(evaluatorQuery(id))
  return (
    <QueryView query={query} failure="Couldn’t load the evaluator">
      {previous => <Editor previous={previous} initial={formOf(previous)} />}
    </QueryView>
  )
}

function definitionFrom(value: unknown): DefinitionForm | null {
  const parsed = EvaluatorDefinition.safeParse(value)
  return parsed.success ? formOf({ name: 'Drafted evaluator', description: '', definition: parsed.data }) : null
}

function Editor({ previous, initial }: { readonly previous: EvaluatorSnapshot | null; readonly initial: DefinitionForm }) {
  const navigate = useNavigate()
  const version = useAddress().get('version')
  const [form, setForm] = useState(initial)
  const save = useSaveEvaluator()
  const read = definitionOf(form)
  const change = (changes: Partial<DefinitionForm>): void => setForm(before => ({ ...before, ...changes }))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if ('problem' in read || form.name.trim() === '') return
    save.mutate(
      { name: form.name, description: form.description, previous_version_id: previous?.id ?? null, definition: read.definition },
      {
        onSuccess: saved => {
          notifyDone(`Saved version ${saved.version}.`)
          void navigate(`/evaluators/${saved.id}${version === '' ? '' : `?version=${version}`}`)
        },
      },
    )
  }
  return (
    <Page>
      <PageHeader
        title={previous ? `New version of ${previous.name}` : 'New evaluator'}
        parent={{ title: 'Evaluators', to: '/evaluators' }}
        description="A saved version never changes. The preview calls no model until you run it."
      />
      <div className="evaluators-columns">
        <form className="stack" style={{ gap: 16 }} onSubmit={submit} noValidate>
          <TextInput label="Name" required maxLength={200} {...textField(form.name, text => change({ name: text }))} />
          <Textarea
            label="Description"
            autosize
            minRows={1}
            maxRows={6}
            maxLength={5000}
            {...textField(form.description, text => change({ description: text }))}
          />
          <SegmentedControl
            aria-label="Kind"
            data={evaluatorKinds.map(value => ({ value, label: kindWords[value] }))}
            value={form.kind}
            onChange={value => change({ kind: oneOf(value, evaluatorKinds) ?? form.kind })}
          />
          <DefinitionFields form={form} onChange={change} />
          {save.isError ? <ErrorState error={save.error} title="Couldn’t save the evaluator" /> : null}
          <FormActions>
            <ReasonedButton
              type="submit"
              loading={save.isPending}
              blocked={form.name.trim() === '' ? 'Enter a name.' : 'problem' in read ? read.problem : null}
            >
              {previous ? `Save version ${previous.version + 1}` : 'Save evaluator'}
            </ReasonedButton>
            <Button component={Link} to="/evaluators" variant="default">
              Cancel
            </Button>
          </FormActions>
        </form>
        <Section title="Preview">
          <LivePreview read={read} initialVersionId={version === '' ? null : version} />
        </Section>
      </div>
    </Page>
  )
}
