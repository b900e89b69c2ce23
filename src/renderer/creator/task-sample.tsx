import type { SampledTask } from '../../contract/creator/packages.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { MessageContentView } from '../samples/messages.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

/** Prompts beside their targets, the reference solution where there is one, and its score; each with its place in the package. */
export function TaskSample({ items }: { readonly items: readonly SampledTask[] }) {
  return (
    <ol className="task-sample">
      {items.map(({ id, file, line, messages, targets, reference, reference_result: result }) => (
        <li key={id}>
          <h3>
            <span className="mono">
              <UntrustedText text={id} layout="inline" />
            </span>
            <span className="quiet task-place">
              <UntrustedText text={file} layout="inline" />, line {formatCount(line)}
            </span>
          </h3>
          <div className="task-sample-parts">
            <div>
              {messages.map(({ role, content }, i) => (
                // oxlint-disable-next-line react/no-array-index-key -- messages of one prompt have no identity but their place
                <div key={i}>
                  <div className="quiet small">{role === 'system' ? 'System prompt' : 'Prompt'}</div>
                  {typeof content === 'string' ? (
                    <UntrustedText text={content} />
                  ) : (
                    <MessageContentView content={content} readable={false} />
                  )}
                </div>
              ))}
            </div>
            <div>
              <div className="quiet small">Target</div>
              {targets.length > 0 ? <UntrustedText text={targets.join('\n')} /> : <p className="quiet">Judged by its scorer</p>}
              {reference === null ? null : (
                <>
                  <div className="quiet small">Reference solution</div>
                  <UntrustedText text={reference} />
                </>
              )}
              <div className="quiet small">Reference score</div>
              {result === null ? <p className="quiet">No reference</p> : <ReferenceResult result={result} />}
            </div>
          </div>
        </li>
      ))}
    </ol>
  )
}

/** Only a score of 1 is right: the reference is the answer that the author calls correct. */
function ReferenceResult({ result: { score, explanation } }: { readonly result: NonNullable<SampledTask['reference_result']> }) {
  return (
    <div className="task-sample-score">
      <StatusBadge
        status={score === null ? { word: 'Unscored', tone: 'warn' } : { word: formatScore(score), tone: score === 1 ? 'pass' : 'fail' }}
      />
      <UntrustedText text={explanation} layout="prose" />
    </div>
  )
}

function formatScore(score: number): string {
  return String(Number(score.toFixed(3)))
}
