import { useKeptDraft } from '../ui/forms/use-kept-draft.ts'
import { Section } from '../ui/page/page-header.tsx'
import { AdvancedFields } from './advanced-fields.tsx'
import { CostFields } from './cost-fields.tsx'
import { CoverageField } from './coverage-field.tsx'
import { ExamplePrompts } from './example-prompts.tsx'
import { GroupPlan } from './group-plan.tsx'
import { GroupQuoteTable } from './group-quote-table.tsx'
import { KeptNotice } from './kept-notice.tsx'
import { ModelField } from './model-field.tsx'
import { MoreModelsField } from './more-models-field.tsx'
import { ProfileField } from './profile-field.tsx'
import { QuoteChecks } from './quote-checks.tsx'
import type { FieldErrors, QuoteForm } from './quote-form.ts'
import { QuoteWarnings } from './quote-warnings.tsx'
import { RunPlan } from './run-plan.tsx'
import { useExecutionOptions } from './quotes.queries.ts'
import { SelectionSummary } from './selection-summary.tsx'
import { leadForm, useGroupQuote } from './use-group-quote.ts'
import { useLiveQuote } from './use-live-quote.ts'
import { PromptFields } from './prompt-fields.tsx'
import { useModelChoice } from './use-model-choice.ts'
import { useSelectedProfiles } from './use-selected-profiles.ts'

interface NewQuoteFormProps {
  /** Under which what is filled in is kept while other pages are open. */
  readonly place: string
  readonly initial: QuoteForm
  /** What the address names. */
  readonly named?: Partial<QuoteForm>
}

interface Draft extends QuoteForm {
  readonly more: readonly string[]
  /** As typed; null for the suggested one. */
  readonly name: string | null
}

/** Model, benchmark and sample size on the left; what that takes and the button that runs it on the right, following every change. */
export function NewQuoteForm({ place, initial, named }: NewQuoteFormProps) {
  const empty: Draft = { ...initial, more: [], name: null }
  // Prompt, settings and models that were tried on one benchmark are not meant for another.
  const fits = ({ profileIds }: Draft) => named?.profileIds === undefined || profileIds.join() === named.profileIds.join()
  const kept = useKeptDraft<Draft>(place, empty, { named, fits })
  const { draft: form, change } = kept
  const { more, name } = form
  const models = useModelChoice()
  const execution = useExecutionOptions()
  const others = more.filter(value => value !== form.model)
  const isGroup = others.length > 0
  const live = useLiveQuote(form, !isGroup)
  const group = useGroupQuote(form, others)
  const profiles = useSelectedProfiles(form.profileIds)
  const model = models.options?.find(option => option.value === form.model)
  const taskCounts = profiles.flatMap(({ profile }) => (profile?.task_count ? [profile.task_count] : []))
  const temperatures = new Set(profiles.map(({ profile }) => profile?.generation.temperature ?? null))
  const temperature = temperatures.size === 1 ? ([...temperatures][0] ?? null) : null
  const errors = fieldErrors(isGroup ? group.missing : live.missing, isGroup ? group.refused : live.refused)
  const plan = { name, onName: (typed: string) => change({ name: typed }), onSubmitted: kept.forget }

  return (
    <div className="quotes-form">
      <div className="quotes-fields">
        <KeptNotice {...kept} />
        <Section title="Model">
          <ModelField choice={models} value={form.model} error={errors['model']} onChange={value => change({ model: value })} />
          <MoreModelsField
            choice={models}
            first={form.model}
            value={others}
            onChange={update => change(before => ({ more: update(before.more) }))}
          />
        </Section>
        <Section title="Benchmarks">
          <ProfileField
            selected={form.profileIds}
            capabilities={model?.capabilities ?? null}
            error={errors['profileIds']}
            onChange={profileIds => change({ profileIds })}
          />
          <CoverageField form={form} errors={errors} taskCounts={taskCounts} temperature={temperature} onChange={change} />
          <PromptFields
            draft={form.execution}
            errors={errors}
            profiles={profiles.flatMap(({ profile }) => profile ?? [])}
            onChange={draft => change({ execution: draft })}
          />
        </Section>
        {isGroup && group.quote ? <GroupQuoteTable quote={group.quote} /> : null}
        {!isGroup && live.quote ? (
          <>
            <QuoteChecks quote={live.quote} />
            <QuoteWarnings quote={live.quote} />
            <ExamplePrompts quote={live.quote} />
          </>
        ) : null}
        <Section title="Spending limit and settings">
          <CostFields form={leadForm(form, others)} errors={errors} onChange={change} />
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
          models={[form.model, ...others].flatMap(value => models.options?.find(option => option.value === value) ?? [])}
          profiles={profiles}
          form={form}
          onRemove={id => change({ profileIds: form.profileIds.filter(one => one !== id) })}
        />
        {isGroup ? <GroupPlan group={group} {...plan} /> : <RunPlan live={live} {...plan} quoteState={{ form: place, draft: kept.id }} />}
      </aside>
    </div>
  )
}

/** What was not chosen yet is named beside the button, not marked as a mistake. */
function fieldErrors(missing: FieldErrors, refused: FieldErrors): FieldErrors {
  const { model: _model, profileIds: _profiles, ...typed } = missing
  return { ...typed, ...refused }
}
