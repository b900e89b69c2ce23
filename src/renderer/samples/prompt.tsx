import { useLocalStorage } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { contentText } from '../../contract/messages/message-text.ts'
import { partsOf } from '../../contract/messages/messages.schemas.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import type { SampleDetail } from '../../contract/runs/samples.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { useLetterKey } from '../ui/page/use-letter-key.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { Messages } from './messages.tsx'

interface PromptProps {
  readonly messages: SampleDetail['messages']
  readonly run: Pick<Run, 'execution'>
}

/** The prompt as sent: folded to the first line of its question where the run asks as the benchmark does, open where it does not. */
export function Prompt({ messages, run: { execution } }: PromptProps) {
  const last = messages.at(-1)
  const usual = execution.system_prompt === undefined && execution.prompt_template === undefined
  // A picture or a recording has no first line.
  const isText = last !== undefined && partsOf(last).every(({ type }) => type === 'text' || type === 'tool_result')
  const [firstLine = ''] = isText ? contentText(last.content).trim().split(/\r?\n/) : []
  if (!usual || firstLine === '') return <WholePrompt messages={messages} />
  return (
    <FoldedPrompt firstLine={firstLine}>
      <WholePrompt messages={messages} />
    </FoldedPrompt>
  )
}

/** The reader's choice is kept on this machine, for every sample. */
function FoldedPrompt({ firstLine, children }: { readonly firstLine: string; readonly children: ReactNode }) {
  const [isOpen, setOpen] = useLocalStorage({ key: 'assay.transcript.prompt-open', defaultValue: false, getInitialValueInEffect: false })
  useLetterKey('p', () => setOpen(!isOpen))
  return (
    <details className="samples-fold" open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <span className="quiet small">{isOpen ? 'Fold (p)' : 'Show all (p)'}</span>
        {isOpen ? null : <UntrustedText text={firstLine} layout="inline" />}
      </summary>
      {children}
    </details>
  )
}

/** The last message open, those before it (system prompt, worked examples) folded, as most samples share them. */
function WholePrompt({ messages }: Pick<PromptProps, 'messages'>) {
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
