import type { SampledTask } from '../../contract/index.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

/** Prompts beside their targets, and the reference solution where there is one. */
export function TaskSample({ items }: { readonly items: readonly SampledTask[] }) {
  return (
    <ol className="task-sample">
      {items.map(({ id, messages, targets, reference }) => (
        <li key={id}>
          <h3 className="mono">
            <UntrustedText text={id} layout="inline" />
          </h3>
          <div className="task-sample-parts">
            <div>
              {messages.map(({ role, content }, i) => (
                // oxlint-disable-next-line react/no-array-index-key -- messages of one prompt have no identity but their place
                <div key={i}>
                  <div className="quiet small">{role === 'system' ? 'System prompt' : 'Prompt'}</div>
                  <UntrustedText text={content} />
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
            </div>
          </div>
        </li>
      ))}
    </ol>
  )
}
