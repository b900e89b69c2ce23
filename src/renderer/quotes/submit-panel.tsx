import { Anchor, Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import { NameField } from '../ui/forms/name-field.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { describeCharge } from './describe-charge.ts'
import { useForgetForm } from './new-run.ts'
import { QuoteAgain } from './quote-again.tsx'
import { suggestedName } from './suggested-name.ts'
import { useSubmitRun } from './use-submit-run.ts'

/** The signature line: a name, the cap once more, and the button; or why it cannot be submitted and the way on. */
export function SubmitPanel({ quote, expired }: { readonly quote: Quote; readonly expired: boolean }) {
  const submit = useSubmitRun(quote.id, useForgetForm())
  const { submission } = submit
  if (submission?.runId) return <Submitted runId={submission.runId} />
  if (quote.compatibility.status === 'incompatible') return <Incompatible quote={quote} />
  if (expired && !submission) return <QuoteAgain quote={quote} />
  return <SubmitForm quote={quote} submit={submit} />
}

function SubmitForm({ quote, submit }: { readonly quote: Quote; readonly submit: ReturnType<typeof useSubmitRun> }) {
  const navigate = useNavigate()
  const { submission, mutation } = submit
  const [typed, setTyped] = useState(() => suggestedName(quote))
  const name = submission?.name ?? typed
  const unanswered = submission !== null && !mutation.isPending
  const send = (event: FormEvent): void => {
    event.preventDefault()
    mutation.mutate(name.trim(), { onSuccess: ({ run_id: runId }) => void navigate(`/runs/${runId}`) })
  }
  return (
    <form className="stack" onSubmit={send}>
      <NameField label="Name of the run" required value={name} disabled={submission !== null} onChange={setTyped} />
      {unanswered ? (
        <p className="quotes-note">This quote was submitted but no response arrived. Submitting it again returns the same run.</p>
      ) : (
        <p className="quotes-note">
          Starts {quote.counts.model_calls === 1 ? 'one model call' : 'the model calls'}. {describeCharge(quote)}
        </p>
      )}
      <Button type="submit" loading={mutation.isPending} disabled={name.trim() === ''}>
        {unanswered ? 'Send again' : 'Run'}
      </Button>
      {mutation.isError ? <ErrorState error={mutation.error} title="The run was not submitted" /> : null}
    </form>
  )
}

function Submitted({ runId }: { readonly runId: string }) {
  return (
    <div className="stack">
      <p className="quotes-note">You submitted this quote.</p>
      <Button component={Link} to={`/runs/${runId}`}>
        Open the run
      </Button>
    </div>
  )
}

function Incompatible({ quote }: { readonly quote: Quote }) {
  return (
    <div className="stack">
      <p className="quotes-error">This selection cannot run: see the failed checks.</p>
      <Button component={Link} to={`/quotes/new?from=${quote.id}`}>
        Change selection
      </Button>
      <Anchor component={Link} to="/models" fz="xs">
        Models and connections
      </Anchor>
    </div>
  )
}
