import { Button } from '@mantine/core'
import { useNavigate } from 'react-router'
import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import { NameField } from '../ui/forms/name-field.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { describeCharge } from './describe-charge.ts'
import type { FromForm } from './new-run.ts'
import { isRefusal } from './submission.ts'
import { suggestedName } from './suggested-name.ts'
import { useSubmitRun } from './use-submit-run.ts'

interface RunButtonProps {
  readonly quote: Quote
  /** Whether the quote is about what the form says now. */
  readonly current: boolean
  /** As typed; null for the suggested one. */
  readonly name: string | null
  readonly onName?: (typed: string) => void
  readonly onSubmitted?: () => void
  /** What the quote's own page is told. */
  readonly quoteState?: FromForm
}

/** Submits the quote on the page. If no answer arrives, the quote's own page continues: it knows what was sent. */
export function RunButton({ quote, current, name, onName, onSubmitted, quoteState }: RunButtonProps) {
  const navigate = useNavigate()
  const { submission, mutation } = useSubmitRun(quote.id, onSubmitted)
  const chosen = name ?? suggestedName(quote)
  const run = (): void =>
    mutation.mutate(chosen.trim(), {
      onSuccess: ({ run_id: runId }) => void navigate(`/runs/${runId}`),
      onError: error => {
        if (!isRefusal(error)) void navigate(`/quotes/${quote.id}`, { state: quoteState })
      },
    })
  return (
    <>
      {onName ? <NameField label="Name of the run" value={chosen} disabled={submission !== null} onChange={onName} /> : null}
      <Button fullWidth loading={mutation.isPending} disabled={!current || chosen.trim() === '' || submission !== null} onClick={run}>
        Run
      </Button>
      <p className="quotes-note">{describeCharge(quote)}</p>
      {mutation.isError ? <ErrorState error={mutation.error} title="The run was not submitted" /> : null}
    </>
  )
}
