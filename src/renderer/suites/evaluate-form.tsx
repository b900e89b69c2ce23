import '../quotes/quotes.css'
import { Anchor, Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { formatCount } from '../../lib/format/numbers.ts'
import { describeCharge } from '../quotes/describe-charge.ts'
import { ExamplePrompts } from '../quotes/example-prompts.tsx'
import { ModelField } from '../quotes/model-field.tsx'
import { PlanPanel } from '../quotes/plan-panel.tsx'
import { QuoteChecks } from '../quotes/quote-checks.tsx'
import { emptyForm } from '../quotes/quote-form.ts'
import { QuoteWarnings } from '../quotes/quote-warnings.tsx'
import { useModelChoice } from '../quotes/use-model-choice.ts'
import { DollarField } from '../ui/forms/dollar-field.tsx'
import { readDollars } from '../ui/forms/dollars.ts'
import { NameField } from '../ui/forms/name-field.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { type EvaluatedTasks, useEvaluationQuote, useStartEvaluation } from './suites.queries.ts'

interface EvaluateFormProps {
  /** Suite or selection. */
  readonly id: string
  readonly name: string
  readonly tasks: number
  readonly evaluated: EvaluatedTasks
  /** Value of the model that is chosen at first. */
  readonly initialModel?: string | null
  /** What a reader must know of the result. */
  readonly caution?: string
  readonly cancelTo: string
}

/** Model, spending limit and quote of an evaluation of exact tasks. */
export function EvaluateForm({ id, name: of, tasks, evaluated, initialModel = null, caution, cancelTo }: EvaluateFormProps) {
  const navigate = useNavigate()
  const models = useModelChoice()
  const start = useStartEvaluation(id, evaluated)
  const [model, setModel] = useState(initialModel)
  const [cap, setCap] = useState(emptyForm.capDollars)
  const [typed, setTyped] = useState<string | null>(null)
  const label = models.options?.find(option => option.value === model)?.label
  const name = typed ?? (label === undefined ? of : [...`${of}: ${label}`].slice(0, 200).join(''))
  const { amount, error: capError } = readDollars(cap)
  const requested = useEvaluationQuote(evaluated, model, amount)
  const { quote, current } = requested
  const problems = [...(model === null ? ['Choose a model.'] : []), ...(capError === null ? [] : [`Spending limit: ${capError}.`])]
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (model === null || amount === null) return
    start.mutate(
      { name: name.trim(), model, max_charge_microusd: amount },
      { onSuccess: made => void navigate(`/suites/evaluations/${made.id}`) },
    )
  }
  return (
    <form className="quotes-form" onSubmit={submit} noValidate>
      <div className="quotes-fields">
        <Section title="Model">
          <ModelField choice={models} value={model} error={undefined} onChange={setModel} />
        </Section>
        {quote ? (
          <>
            <QuoteChecks quote={quote} />
            <QuoteWarnings quote={quote} />
            <ExamplePrompts quote={quote} />
          </>
        ) : null}
        <Section title="Spending limit">
          <DollarField
            label="Spending limit"
            description="What your wallet may be charged for the evaluation. Connections are billed by their provider."
            value={cap}
            onChange={setCap}
          />
        </Section>
      </div>
      <aside className="quotes-aside" aria-label="Your evaluation">
        <div className="stack" style={{ gap: 8 }}>
          <h2 className="quotes-aside-title">Your evaluation</h2>
          <div>{label === undefined ? <span className="quiet">No model yet</span> : <UntrustedText text={label} layout="prose" />}</div>
          <div>
            <UntrustedText text={of} layout="prose" />
            <span className="quiet num"> {tasks === 1 ? '1 task' : `${formatCount(tasks)} tasks`}</span>
          </div>
          {caution === undefined ? null : <p className="quotes-note">{caution}</p>}
        </div>
        <PlanPanel
          requested={requested}
          problems={problems}
          action={plan => (
            <>
              <NameField label="Name" value={name} onChange={setTyped} />
              <Button type="submit" fullWidth loading={start.isPending} disabled={!current || name.trim() === ''}>
                Start evaluation
              </Button>
              <p className="quotes-note">{describeCharge(plan)}</p>
            </>
          )}
        />
        {start.isError ? <ErrorState error={start.error} title="The evaluation was not started" /> : null}
        <Anchor component={Link} to={cancelTo} fz="xs">
          Cancel
        </Anchor>
      </aside>
    </form>
  )
}
