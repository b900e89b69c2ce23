import { Button, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { feedbackMachine } from '../../contract/feedback/feedback.machine.ts'
import type { FeedbackReport, FeedbackTriageBody } from '../../contract/feedback/feedback.schemas.ts'
import { allows } from '../../contract/machine.ts'
import { textField } from '../ui/forms/fields.ts'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { useTriage } from './feedback.queries.ts'

/** Steps that need nothing but the decision. */
const plainSteps = [
  { event: 'triage', status: 'triaged', label: 'Mark as triaged' },
  { event: 'accept', status: 'accepted', label: 'Accept' },
  { event: 'ship', status: 'shipped', label: 'Mark as shipped' },
] as const

/** The steps that the report's state allows. */
export function Triage({ report }: { readonly report: FeedbackReport }) {
  const triage = useTriage(report.feedback_id)
  const [asking, setAsking] = useState<'open_pr' | 'decline' | null>(null)
  const may = (event: keyof typeof feedbackMachine.events): boolean => allows(feedbackMachine, report.status, event)
  const step = (body: FeedbackTriageBody): void => triage.mutate(body, { onSuccess: () => setAsking(null) })
  if (feedbackMachine.terminal.includes(report.status)) return null
  return (
    <Section title="Next step">
      <div className="row">
        {plainSteps
          .filter(({ event }) => may(event))
          .map(({ status, label }) => (
            <Button key={status} size="xs" loading={triage.isPending} onClick={() => step({ status })}>
              {label}
            </Button>
          ))}
        {may('open_pr') ? (
          <Button size="xs" aria-expanded={asking === 'open_pr'} onClick={() => setAsking('open_pr')}>
            Fix is proposed…
          </Button>
        ) : null}
        {may('decline') ? (
          <Button size="xs" variant="default" aria-expanded={asking === 'decline'} onClick={() => setAsking('decline')}>
            Decline…
          </Button>
        ) : null}
      </div>
      {asking === 'open_pr' ? <ProposedFix onSend={step} busy={triage.isPending} /> : null}
      {asking === 'decline' ? <Decline onSend={step} busy={triage.isPending} /> : null}
      {triage.isError ? <ErrorState error={triage.error} title="Couldn’t update the report" /> : null}
    </Section>
  )
}

interface StepFormProps {
  readonly onSend: (body: FeedbackTriageBody) => void
  readonly busy: boolean
}

function ProposedFix({ onSend, busy }: StepFormProps) {
  const [address, setAddress] = useState('')
  const send = (event: FormEvent): void => {
    event.preventDefault()
    onSend({ status: 'pr_open', pr_url: address.trim() })
  }
  return (
    <form className="stack" onSubmit={send}>
      <TextInput label="Address of the proposed fix" type="url" required {...textField(address, setAddress)} />
      <Button
        type="submit"
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        loading={busy}
        disabled={!/^https?:\/\/\S+$/.test(address.trim())}
      >
        Mark as proposed
      </Button>
    </form>
  )
}

function Decline({ onSend, busy }: StepFormProps) {
  const [note, setNote] = useState('')
  const send = (event: FormEvent): void => {
    event.preventDefault()
    onSend({ status: 'declined', resolution_note: note.trim() })
  }
  return (
    <form className="stack" onSubmit={send}>
      <Textarea
        label="Why it is declined"
        description="The reporter reads this."
        required
        autosize
        minRows={2}
        maxLength={2000}
        {...textField(note, setNote)}
      />
      <Button type="submit" size="xs" style={{ alignSelf: 'flex-start' }} loading={busy} disabled={note.trim() === ''}>
        Decline the report
      </Button>
    </form>
  )
}
