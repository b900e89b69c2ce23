import { describeContent } from '../../contract/messages/message-text.ts'
import { isMediaPart, type Message, type Part } from '../../contract/messages/messages.schemas.ts'
import { CopyButton } from '../ui/values/copy-button.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { LongText } from './long-text.tsx'
import { MediaPartView, placeAmong } from './media-part.tsx'
import { ReadableText } from './readable-text.tsx'
import { Reasoning } from './reasoning.tsx'

const roles = { system: 'System', user: 'User', assistant: 'Model', tool: 'Tool' } as const

interface MessagesProps {
  readonly messages: readonly Message[]
  /** Follows the reader's choice of formatted or raw; otherwise raw. */
  readonly readable?: boolean
}

/** A conversation: each message under its role, with its parts in their order; reasoning is folded. */
export function Messages({ messages, readable = false }: MessagesProps) {
  if (messages.length === 0) return <p className="quiet samples-note">Nothing was sent yet.</p>
  return (
    <ol className="samples-messages">
      {messages.map((message, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- messages have no identity but their place
        <li key={index} className={messages.length > 2 ? `samples-turn samples-turn-${message.role}` : undefined}>
          <div className="row samples-role">
            {roles[message.role]}
            {message.name === undefined ? null : (
              <span className="quiet">
                <UntrustedText text={message.name} layout="inline" />
              </span>
            )}
            <CopyButton value={describeContent(message.content)} what={`message ${index + 1}`} />
          </div>
          <MessageContentView content={message.content} readable={readable} />
        </li>
      ))}
    </ol>
  )
}

interface ContentProps {
  readonly content: Message['content']
  readonly readable: boolean
  /** What its files belong to. */
  readonly of?: string
}

export function MessageContentView({ content, readable, of = 'the task' }: ContentProps) {
  const Text = readable ? ReadableText : LongText
  if (typeof content === 'string') return <Text text={content} />
  const files = content.filter(isMediaPart)
  return (
    <div className="stack samples-parts">
      {content.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts have no identity but their place
        <PartView key={index} part={part} readable={readable} of={`${placeAmong(files, part)} of ${of}`} />
      ))}
    </div>
  )
}

function PartView({ part, readable, of }: { readonly part: Part; readonly readable: boolean; readonly of: string }) {
  const Text = readable ? ReadableText : LongText
  switch (part.type) {
    case 'text':
      return <Text text={part.text} />
    case 'reasoning':
      return <Reasoning reasoning={part.redacted ? 'Encrypted by the provider.' : part.text} />
    case 'tool_call':
      return (
        <div className="samples-call">
          <span className="quiet small">Calls</span> <UntrustedText text={`${part.name}(${part.arguments})`} layout="inline" />
        </div>
      )
    case 'tool_result':
      return (
        <div className="stack" style={{ gap: 4 }}>
          {part.is_error ? <span className="small samples-tool-error">Error</span> : null}
          <Text text={part.content} />
        </div>
      )
    default:
      return <MediaPartView part={part} of={of} />
  }
}
