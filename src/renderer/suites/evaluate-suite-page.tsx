import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import type { Suite } from '../../contract/index.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { parseDollars } from '../quotes/dollars.ts'
import { ModelField } from '../quotes/model-field.tsx'
import { useModelChoice } from '../quotes/use-model-choice.ts'
import { FormActions } from '../ui/forms/form-actions.tsx'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { suiteQuery, useStartEvaluation } from './suites.queries.ts'

/** Starts a run of exactly the suite's tasks. */
export function EvaluateSuitePage() {
  const { suiteId = '' } = useParams()
  return (
    <Page layout="narrow">
      <QueryView query={useQuery(suiteQuery(suiteId))} failure="Couldn’t load the suite">
        {suite => (
          <>
            <PageHeader
              title="Run as evaluation"
              parent={{ title: showHidden(suite.name), to: `/suites/${suite.id}` }}
              description={`Runs exactly the ${formatCount(suite.tasks)} tasks of version ${suite.version}. A task that is not available is named and nothing starts; nothing is sampled instead.`}
            />
            <EvaluateForm suite={suite} />
          </>
        )}
      </QueryView>
    </Page>
  )
}

function EvaluateForm({ suite }: { readonly suite: Suite }) {
  const navigate = useNavigate()
  const models = useModelChoice()
  const start = useStartEvaluation(suite.id)
  const [model, setModel] = useState<string | null>(null)
  const [cap, setCap] = useState('0')
  const [typed, setTyped] = useState<string | null>(null)
  const label = models.options?.find(option => option.value === model)?.label
  const name = typed ?? (label === undefined ? suite.name : [...`${suite.name}: ${label}`].slice(0, 200).join(''))
  const amount = parseDollars(cap)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (model === null || amount === null) return
    start.mutate(
      { name: name.trim(), model, max_charge_microusd: amount },
      { onSuccess: ({ id }) => void navigate(`/suites/evaluations/${id}`) },
    )
  }
  return (
    <form className="stack" style={{ gap: 24 }} onSubmit={submit} noValidate>
      <Section title="Model">
        <ModelField choice={models} value={model} error={undefined} onChange={setModel} />
      </Section>
      <Section title="Spending limit">
        <TextInput
          label="Spending limit"
          description="What your wallet may be charged. Connections are billed by their provider."
          inputMode="decimal"
          maw={480}
          leftSection="$"
          value={cap}
          error={amount === null ? 'Type an amount in dollars, such as 5 or 0.50' : undefined}
          onChange={event => setCap(event.currentTarget.value)}
        />
      </Section>
      <TextInput label="Name" maw={480} maxLength={200} value={name} onChange={event => setTyped(event.currentTarget.value)} />
      {start.isError ? <ErrorState error={start.error} title="The evaluation was not started" /> : null}
      <FormActions>
        <Button type="submit" loading={start.isPending} disabled={model === null || amount === null || name.trim() === ''}>
          Start evaluation
        </Button>
        <Button component={Link} to={`/suites/${suite.id}`} variant="default">
          Cancel
        </Button>
      </FormActions>
    </form>
  )
}
