import { type EndpointParameters, noRequestSettings, type RequestSettings } from '../../../contract/connections/request-settings.schemas.ts'
import { contentText, framed } from '../../../contract/messages/message-text.ts'
import type { CallNote, ModelRequest, Turn } from '../model-client.ts'

/** What a connection adds to its calls, and what its endpoint was found to take; absent where nothing is set or known. */
export interface EndpointOptions {
  readonly requestSettings?: RequestSettings | undefined
  readonly parameters?: EndpointParameters | undefined
}

export interface FittedRequest {
  readonly request: ModelRequest
  /** What could not be sent as the benchmark has it. */
  readonly notes: readonly CallNote[]
}

/** The request as the endpoint takes it, with the connection's own stop sequences and place for the system prompt. */
export function fitRequest(
  request: ModelRequest,
  model: string,
  { requestSettings = noRequestSettings, parameters }: EndpointOptions,
): FittedRequest {
  const notes: CallNote[] = []
  const dropsTemperature = parameters?.temperature === false && request.temperature !== null
  if (dropsTemperature) {
    const message = `${model} takes no temperature: ${request.temperature} was not sent, and the provider’s own holds.`
    notes.push({ code: 'parameter_dropped', message })
  }
  const lacksRole = parameters?.system_role === false && request.messages.some(({ role }) => role === 'system')
  if (lacksRole && !requestSettings.system_as_user) {
    const message = `${model} takes no system prompt: it was sent at the head of the first user message.`
    notes.push({ code: 'parameter_adapted', message })
  }
  const stop = requestSettings.stop.filter(text => !request.stop.includes(text))
  return {
    request: {
      ...request,
      messages: requestSettings.system_as_user || lacksRole ? systemAsUser(request.messages) : request.messages,
      temperature: dropsTemperature ? null : request.temperature,
      stop: stop.length === 0 ? request.stop : [...request.stop, ...stop],
    },
    notes,
  }
}

/** In one message with the first of the user: templates without a system role often refuse two user messages in a row, too. */
function systemAsUser(messages: readonly Turn[]): readonly Turn[] {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => contentText(content))
  if (system.length === 0) return messages
  const others = messages.filter(({ role }) => role !== 'system')
  const first = others.findIndex(({ role }) => role === 'user')
  const head = system.join('\n\n')
  if (first === -1) return [{ role: 'user', content: head }, ...others]
  return others.map((turn, i) =>
    i === first && turn.role === 'user' ? { ...turn, content: framed(`${head}\n\n`, turn.content, '') } : turn,
  )
}

/** The body with the parameter names that the endpoint takes, and without what it refuses. */
export function fitBody(body: Readonly<Record<string, unknown>>, parameters: EndpointParameters | undefined): Record<string, unknown> {
  const fitted = { ...body }
  if (parameters?.stream_usage === false) delete fitted['stream_options']
  const wanted = parameters?.output_limit ?? null
  const other = wanted === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
  if (wanted === null || !(other in fitted)) return fitted
  const { [other]: limit, ...rest } = fitted
  return { ...rest, [wanted]: limit }
}
