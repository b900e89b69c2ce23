import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { ServiceError } from '../../contract/index.ts'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { AdvancedFields } from './advanced-fields.tsx'
import { CoverageField } from './coverage-field.tsx'
import { ModelField } from './model-field.tsx'
import { ProfileField } from './profile-field.tsx'
import { CostFields } from './cost-fields.tsx'
import { type FieldErrors, type QuoteForm, requestOfForm } from './quote-form.ts'
import { refusedFields } from './refused-fields.ts'
import { useCreateQuote, useExecutionOptions } from './quotes.queries.ts'
import { SelectionSummary } from './selection-summary.tsx'
import { useModelChoice } from './use-model-choice.ts'
import { useSelectedProfiles } from './use-selected-profiles.ts'

export function NewQuoteForm({ initial }: { readonly initial: QuoteForm }) {
  const navigate = useNavigate()
  const [form, setForm] = useState(initial)
  const [errors, setErrors] = useState<FieldErrors>({})
  const models = useModelChoice()
  const execution = useExecutionOptions()
  const create = useCreateQuote('new')
  const profiles = useSelectedProfiles(form.profileIds)
  const model = models.options?.find(option => option.value === form.model)
  const taskCounts = profiles.flatMap(({ profile }) => (profile?.task_count ? [profile.task_count] : []))

  const change = (changes: Partial<QuoteForm>): void => {
    setForm(before => ({ ...before, ...changes }))
    // What is being corrected is no longer wrong, as far as is known.
    setErrors(before => Object.fromEntries(Object.entries(before).filter(([field]) => !((field.split('.')[0] ?? field) in changes))))
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const outcome = requestOfForm(form)
    if ('errors' in outcome) return setErrors(outcome.errors)
    create.mutate(outcome.request, {
      onSuccess: quote => void navigate(`/quotes/${quote.id}`),
      onError: error => setErrors(error instanceof ServiceError ? refusedFields(error) : {}),
    })
  }

  return (
    <form className="quotes-form" onSubmit={submit} noValidate>
      <div className="quotes-fields">
        <Section title="Model">
          <ModelField choice={models} value={form.model} error={errors['model']} onChange={value => change({ model: value })} />
        </Section>
        <Section title="Benchmarks">
          <ProfileField
            selected={form.profileIds}
            capabilities={model?.capabilities ?? null}
            error={errors['profileIds']}
            onChange={profileIds => change({ profileIds })}
          />
          <CoverageField form={form} errors={errors} taskCounts={taskCounts} onChange={change} />
        </Section>
        <Section title="Spending limit">
          <CostFields form={form} errors={errors} onChange={change} />
          <AdvancedFields
            draft={form.execution}
            errors={errors}
            options={execution.data}
            onChange={changes => change({ execution: { ...form.execution, ...changes } })}
          />
        </Section>
      </div>
      <aside className="quotes-aside" aria-label="Your selection">
        <SelectionSummary
          model={model}
          profiles={profiles}
          form={form}
          onRemove={id => change({ profileIds: form.profileIds.filter(one => one !== id) })}
        />
        <Button type="submit" loading={create.isPending} fullWidth>
          Get quote
        </Button>
        {create.isError ? <ErrorState error={create.error} title="No quote was made" /> : null}
        {Object.keys(errors).length > 0 ? (
          <p className="quotes-error" role="alert">
            {Object.values(errors)[0]}
          </p>
        ) : null}
      </aside>
    </form>
  )
}
