import type { SampleEpisode } from '../../contract/runs/samples.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { Section } from '../ui/page/page-header.tsx'
import { CopyButton } from '../ui/values/copy-button.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { LongText } from './long-text.tsx'
import { ReadableText } from './readable-text.tsx'

type Message = SampleEpisode['messages'][number]

const roles = { system: 'System', user: 'User', assistant: 'Model', tool: 'Tool' } as const
const endings: Readonly<Record<SampleEpisode['ended'], string>> = {
  answered: 'the model’s answer',
  over: 'the task itself',
  user_stopped: 'the user',
  turn_limit: 'the turn limit',
  call_limit: 'the limit of tool calls',
  token_limit: 'the token limit',
  time_limit: 'the time limit',
  tool_errors: 'too many tool errors',
  world_error: 'an error of the world',
}
/** Characters of a folded message that its line shows. */
const GLIMPSE = 90

/** How a task of an environment was played: the conversation as a timeline that opens turn by turn, and the world at its end. */
export function Episode({ episode }: { readonly episode: SampleEpisode }) {
  const state = JSON.stringify(episode.state, null, 2)
  const last = episode.messages.length - 1
  const simulated = new Set(episode.steps?.flatMap(({ calls }) => calls.flatMap(call => (call.simulated ? [call.name] : []))))
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
        {simulated.size === 0 ? null : (
          <p className="quiet small">
            Simulated by a model: <UntrustedText text={[...simulated].join(', ')} layout="inline" />
          </p>
        )}
        <ol className="samples-timeline">
          {episode.messages.map((message, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- messages have no identity but their place
            <li key={index} className={`samples-turn samples-turn-${message.role}`}>
              <Turn message={message} number={index + 1} open={index === last || message.role === 'user'} />
            </li>
          ))}
        </ol>
      </Section>
      {episode.world_error === null ? null : (
        <Section title="World error">
          <UntrustedText text={episode.world_error} />
        </Section>
      )}
      {episode.steps === null ? null : <StateChanges steps={episode.steps} />}
      <Section title="World at the end" aside={<CopyButton value={state} what="world at the end" />}>
        <LongText text={state} />
      </Section>
    </>
  )
}

/** What each turn changed in the world's state, before and after. */
function StateChanges({ steps }: { readonly steps: NonNullable<SampleEpisode['steps']> }) {
  const changed = steps.filter(({ changes }) => changes.length > 0)
  if (changed.length === 0) return null
  return (
    <Section title="State changes">
      <ol className="samples-timeline" aria-label="State changes by turn">
        {changed.map(({ turn, calls, changes }) => (
          <li key={turn} className="samples-turn">
            <div>
              <span className="samples-role">Turn {turn}</span>{' '}
              <span className="quiet small">
                <UntrustedText text={calls.map(({ name }) => name).join(', ')} layout="inline" />
              </span>
            </div>
            {changes.map(({ path, before, after }) => (
              <div key={path}>
                <code>
                  <UntrustedText text={path || '/'} layout="inline" />
                </code>{' '}
                <del>
                  <UntrustedText text={shown(before)} layout="inline" />
                </del>{' '}
                <ins>
                  <UntrustedText text={shown(after)} layout="inline" />
                </ins>
              </div>
            ))}
          </li>
        ))}
      </ol>
    </Section>
  )
}

/** A value as JSON; a side of a change that is absent was not there. */
function shown(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value)
}

function Turn({ message, number, open }: { readonly message: Message; readonly number: number; readonly open: boolean }) {
  const { role, content, tool_calls: calls } = message
  return (
    <details open={open}>
      <summary>
        <span className="samples-role">{roles[role]}</span>{' '}
        <span className="quiet small">
          <UntrustedText text={glimpse(message)} layout="inline" />
        </span>
      </summary>
      {content === '' ? null : (
        <div className="row" style={{ alignItems: 'flex-start' }}>
          <div style={{ flex: 1, minWidth: 0 }}>
            <ReadableText text={content} />
          </div>
          <CopyButton value={content} what={`message ${number}`} />
        </div>
      )}
      {calls.map((call, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- calls of one message have no identity but their place
        <div key={place} className="row">
          <span className="quiet small">uses</span>
          <UntrustedText text={`${call.name} ${call.arguments}`} />
        </div>
      ))}
    </details>
  )
}

/** What a folded message is about: the tools that it uses, or how it begins. */
function glimpse({ content, tool_calls: calls }: Message): string {
  if (calls.length > 0) return `uses ${calls.map(call => call.name).join(', ')}`
  const [line = ''] = content.trim().split('\n')
  return line.length > GLIMPSE ? `${line.slice(0, GLIMPSE)}…` : line
}
