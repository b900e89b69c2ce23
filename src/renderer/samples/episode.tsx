import type { SampleEpisode } from '../../contract/index.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { Section } from '../ui/page/page-header.tsx'
import { CopyButton } from '../ui/values/copy-button.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { LongText } from './long-text.tsx'

const roles = { system: 'System', user: 'User', assistant: 'Model', tool: 'Tool' } as const
const endings = { answered: 'the model’s answer', over: 'the task itself', turn_limit: 'the limit of turns' } as const

/** How a task of an environment was played: the whole conversation with its tools, and how the world stood at the end. */
export function Episode({ episode }: { readonly episode: SampleEpisode }) {
  const state = JSON.stringify(episode.state, null, 2)
  return (
    <>
      <Section
        title="Conversation"
        aside={
          <span className="quiet small num">
            {formatCount(episode.turns)} {episode.turns === 1 ? 'turn' : 'turns'}, ended by {endings[episode.ended]}
          </span>
        }
      >
        <ol className="samples-messages">
          {episode.messages.map(({ role, content, tool_calls: calls }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- messages have no identity but their place
            <li key={index}>
              <div className="row samples-role">
                {roles[role]}
                <CopyButton value={content} what={`message ${index + 1}`} />
              </div>
              {content === '' ? null : <LongText text={content} />}
              {calls.map((call, place) => (
                // oxlint-disable-next-line react/no-array-index-key -- calls of one message have no identity but their place
                <div key={place} className="row">
                  <span className="quiet small">uses</span>
                  <UntrustedText text={`${call.name} ${call.arguments}`} />
                </div>
              ))}
            </li>
          ))}
        </ol>
      </Section>
      <Section title="World at the end" aside={<CopyButton value={state} what="world at the end" />}>
        <LongText text={state} />
      </Section>
    </>
  )
}
