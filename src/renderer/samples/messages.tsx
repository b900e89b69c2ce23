import type { SampleDetail } from '../../contract/index.ts'
import { CopyButton } from '../ui/values/copy-button.tsx'
import { LongText } from './long-text.tsx'
import { ReadableText } from './readable-text.tsx'

const roles = { system: 'System', user: 'User', assistant: 'Assistant' } as const

interface MessagesProps {
  readonly messages: SampleDetail['messages']
  /** Follows the reader's choice of formatted or raw; otherwise raw. */
  readonly readable?: boolean
}

export function Messages({ messages, readable = false }: MessagesProps) {
  const Text = readable ? ReadableText : LongText
  if (messages.length === 0) return <p className="quiet samples-note">Nothing was sent yet.</p>
  return (
    <ol className="samples-messages">
      {messages.map(({ role, content }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- messages have no identity but their place
        <li key={index}>
          <div className="row samples-role">
            {roles[role]}
            <CopyButton value={content} what={`message ${index + 1}`} />
          </div>
          <Text text={content} />
        </li>
      ))}
    </ol>
  )
}
