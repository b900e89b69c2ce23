import { useState } from 'react'
import { Section } from '../ui/page/page-header.tsx'
import { AdvancedFields } from './advanced-fields.tsx'
import { CostFields } from './cost-fields.tsx'
import { CoverageField } from './coverage-field.tsx'
import { ExamplePrompts } from './example-prompts.tsx'
import { ModelField } from './model-field.tsx'
import { ProfileField } from './profile-field.tsx'
import { QuoteChecks } from './quote-checks.tsx'
import type { FieldErrors, QuoteForm } from './quote-form.ts'
import { QuoteWarnings } from './quote-warnings.tsx'
import { RunPlan } from './run-plan.tsx'
import { useExecutionOptions } from './quotes.queries.ts'
import { SelectionSummary } from './selection-summary.tsx'
import { useLiveQuote } from './use-live-quote.ts'
import { useModelChoice } from './use-model-choice.ts'
import { useSelectedProfiles } from './use-selected-profiles.ts'

/** Model, benchmark and sample size on the left; what that takes and the button that runs it on the right, following every change. */
export function NewQuoteForm({ initial }: { readonly initial: QuoteForm }) {
  const [form, setForm] = useState(initial)
  const [name, setName] = useState<string | null>(null)
  const models = useModelChoice()
  const execution = useExecutionOptions()
  const live = useLiveQuote(form)
  const profiles = useSelectedProfiles(form.profileIds)
  const model = models.options?.find(option => option.value === form.model)
  const taskCounts = profiles.flatMap(({ profile }) => (profile?.task_count ? [profile.task_count] : []))
  const temperatures = new Set(profiles.map(({ profile }) => profile?.generation.temperature ?? null))
  const temperature = temperatures.size === 1 ? ([...temperatures][0] ?? null) : null
  const errors = fieldErrors(live.missing, live.refused)
  const change = (changes: Partial<QuoteForm>): void => setForm(before => ({ ...before, ...changes }))

  return (
    <div className="quotes-form">
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
          <CoverageField form={form} errors={errors} taskCounts={taskCounts} temperature={temperature} onChange={change} />
        </Section>
        {live.quote ? (
          <>
            <QuoteChecks quote={live.quote} />
            <QuoteWarnings quote={live.quote} />
            <ExamplePrompts quote={live.quote} />
          </>
        ) : null}
        <Section title="Spending limit and settings">
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
        <RunPlan live={live} name={name} onName={setName} />
      </aside>
    </div>
  )
}

/** What was not chosen yet is named beside the button, not marked as a mistake. */
function fieldErrors(missing: FieldErrors, refused: FieldErrors): FieldErrors {
  const { model: _model, profileIds: _profiles, ...typed } = missing
  return { ...typed, ...refused }
}
