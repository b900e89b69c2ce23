import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { Decision } from '../../contract/index.ts'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { useLabel } from './releases.queries.ts'
import { recommendations } from './releases-words.ts'

const choices = [
  { verdict: 'approve', label: 'Approve' },
  { verdict: 'reject', label: 'Reject' },
  { verdict: 'inconclusive', label: 'Call it inconclusive' },
] as const
const leastReason = 20

/** The verdict of the person at the screen. Against the recommendation it needs a reason. */
export function DecisionVerdict({ decision, onDecided }: { readonly decision: Decision; readonly onDecided: () => void }) {
  const label = useLabel()
  const [rationale, setRationale] = useState('')
  const recommendation = decision.recommendation ?? 'inconclusive'
  const decide = (verdict: (typeof choices)[number]['verdict']): void => {
    const override = verdict !== recommendation
    label.mutate({ target: { decision_id: decision.id }, verdict, rationale: rationale.trim(), override }, { onSuccess: onDecided })
  }
  const hasReason = rationale.trim().length >= leastReason
  return (
    <div id="verdict">
      <Section title="Your verdict">
        <p style={{ margin: 0 }}>
          The recommendation is “{recommendations[recommendation].word.toLowerCase()}”. Another verdict needs a reason of at least{' '}
          {leastReason} characters, and a policy that allows it.
        </p>
        <Textarea
          label="Reason"
          autosize
          minRows={2}
          maxRows={8}
          maw={720}
          maxLength={5000}
          value={rationale}
          onChange={event => setRationale(event.currentTarget.value)}
        />
        <div className="row">
          {choices.map(({ verdict, label: text }) => (
            <Button
              key={verdict}
              variant={verdict === recommendation ? 'filled' : 'default'}
              disabled={verdict !== recommendation && !hasReason}
              loading={label.isPending && label.variables.verdict === verdict}
              onClick={() => decide(verdict)}
            >
              {text}
            </Button>
          ))}
        </div>
        {label.isError ? <ErrorState error={label.error} title="Couldn’t save the verdict" /> : null}
      </Section>
    </div>
  )
}
