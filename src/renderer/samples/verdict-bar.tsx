import { failureLabel } from '../../contract/runs/failure-labels.ts'
import type { SampleDetail } from '../../contract/runs/samples.schemas.ts'
import { hasAnswer } from '../../lib/no-answer.ts'
import { targetChoice, targetText } from '../../lib/target-text.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { Verdict } from './verdict.tsx'

interface VerdictBarProps {
  readonly sample: Pick<SampleDetail, 'status' | 'scores' | 'targets' | 'choices' | 'error'>
  readonly primaryId: string | undefined
}

/** Stays on top while the transcript is read: what came of the sample, the answer taken and the one expected. */
export function VerdictBar({ sample: { status, scores, targets, choices, error }, primaryId }: VerdictBarProps) {
  const score = scores.find(({ metric }) => metric === primaryId)
  const target = targets[0] === undefined ? null : targetText(targets[0], targetChoice({ targets, choices }))
  return (
    <div className="samples-verdict">
      <Verdict status={status} score={score} />
      {error ? <span>{failureLabel(error.code)}</span> : null}
      {status === 'scored' ? (
        <span className="samples-verdict-text">
          <span className="quiet">answer</span>{' '}
          {hasAnswer(score?.answer) ? <UntrustedText text={beginning(score.answer)} layout="inline" /> : 'none extracted'}
        </span>
      ) : null}
      {target === null ? null : (
        <span className="samples-verdict-text">
          <span className="quiet">expected</span> <UntrustedText text={beginning(target)} layout="inline" />
          {targets.length > 1 ? <span className="quiet"> or {targets.length - 1} more</span> : null}
        </span>
      )}
    </div>
  )
}

/** Characters of an answer in the bar; the rest is below it. */
const SHOWN = 160

function beginning(text: string): string {
  const line = text.trim()
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line
}
