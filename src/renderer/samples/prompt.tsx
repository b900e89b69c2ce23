import type { SampleDetail } from '../../contract/runs/samples.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { Messages } from './messages.tsx'

/** The prompt as sent: the last message open, those before it (system prompt, worked examples) folded, as most samples share them. */
export function Prompt({ messages }: { readonly messages: SampleDetail['messages'] }) {
  const [before, last] = [messages.slice(0, -1), messages.slice(-1)]
  return (
    <>
      {before.length === 0 ? null : (
        <details className="samples-earlier">
          <summary>{before.length === 1 ? '1 message' : `${formatCount(before.length)} messages`} before the question</summary>
          <Messages messages={before} readable />
        </details>
      )}
      <Messages messages={last} readable />
    </>
  )
}
