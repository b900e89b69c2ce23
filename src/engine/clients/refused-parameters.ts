import type { CallNote, CallOutcome } from './model-client.ts'

/** Settings that a provider may not take; not the prompt and what frames it. */
const settings: readonly string[] = [
  'temperature',
  'top_p',
  'topP',
  'seed',
  'stop',
  'stop_sequences',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'num_predict',
  'reasoning_effort',
  'reasoning.effort',
  'reasoning',
  'output_config.effort',
  'output_config',
  'effort',
  'thinking',
  'think',
  'tools',
  'cache_prompt',
  'stream_options',
]

const mostRead = 20_000

/**
 * The call with the settings noted that the provider named in refusing it, so that a reader need not find them in its words.
 * @param sent makes the body again, which only a refusal needs
 */
export function withRefusals(outcome: CallOutcome, sent: () => Readonly<Record<string, unknown>>): CallOutcome {
  if (outcome.ok || (outcome.httpStatus !== 400 && outcome.httpStatus !== 422) || !outcome.response) return outcome
  const said = Buffer.from(outcome.response).subarray(0, mostRead).toString()
  const body = sent()
  const refused = settings.find(name => isSent(body, name) && isNamed(said, name))
  if (refused === undefined) return outcome
  const advice = refused === 'temperature' ? ' A run with the temperature “none” sends none.' : ''
  const note: CallNote = { code: 'parameter_refused', message: `The endpoint refused the setting “${refused}”.${advice}` }
  return { ...outcome, notes: [...(outcome.notes ?? []), note] }
}

function isSent(sent: Readonly<Record<string, unknown>>, name: string): boolean {
  const own = Object.keys(sent)
  const within = Object.values(sent).flatMap(value => (typeof value === 'object' && value !== null ? Object.keys(value) : []))
  const last = name.split('.').at(-1) ?? name
  return own.includes(name) || within.includes(last)
}

/** Between quotation marks of any kind, as providers name a parameter, or at the head of a message. */
function isNamed(said: string, name: string): boolean {
  const quoted = ['"', "'", '`', '\\"'].some(mark => said.includes(`${mark}${name}${mark}`))
  return quoted || said.includes(`"${name}:`)
}
