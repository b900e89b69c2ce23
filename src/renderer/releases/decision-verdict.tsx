import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { Decision } from '../../contract/releases/decisions.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { textField } from '../ui/forms/fields.ts'
import { Section } from '../ui/page/page-header.tsx'
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
  const [asking, setAsking] = useState<(typeof choices)[number]['verdict'] | null>(null)
  const decide = (verdict: (typeof choices)[number]['verdict']): Promise<unknown> => {
    const override = verdict !== recommendation
    return label.mutateAsync({ target: { decision_id: decision.id }, verdict, rationale: rationale.trim(), override }).then(onDecided)
  }
  const hasReason = rationale.trim().length >= leastReason
  return (
    <div id="verdict">
      <Section title="Your verdict">
        <p style={{ margin: 0 }}>
          The recommendation is “{recommendations[recommendation].word.toLowerCase()}”. Another verdict needs a reason of at least{' '}
          {leastReason} characters, and a policy that allows it.
        </p>
        <Textarea label="Reason" autosize minRows={2} maxRows={8} maw={720} maxLength={5000} {...textField(rationale, setRationale)} />
        <div className="row">
          {choices.map(({ verdict, label: text }) => (
            <Button
              key={verdict}
              variant={verdict === recommendation ? 'filled' : 'default'}
              disabled={verdict !== recommendation && !hasReason}
              onClick={() => setAsking(verdict)}
            >
              {text}
            </Button>
          ))}
        </div>
        {asking === null ? null : (
          <ConfirmDialog
            opened
            title={`${choices.find(({ verdict }) => verdict === asking)?.label}?`}
            action={asking === 'approve' ? 'Approve and sign' : 'Sign'}
            dangerous={asking === 'reject'}
            onClose={() => setAsking(null)}
            onConfirm={() => decide(asking)}
          >
            <p style={{ margin: 0 }}>
              The record is signed with the workspace’s key and cannot be changed: the plan {decision.plan_digest.slice(0, 16)}…, both
              models, {formatCount(decision.rules?.length ?? 0)} {decision.rules?.length === 1 ? 'rule' : 'rules'} with their figures, the
              digests of every answer, and your name with this verdict
              {rationale.trim() === '' ? '' : ' and its reason'}.
            </p>
          </ConfirmDialog>
        )}
      </Section>
    </div>
  )
}
