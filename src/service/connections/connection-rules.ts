import {
  type Connection,
  type ConnectionBody,
  ConnectionLimits,
  type ConnectionUpdate,
} from '../../contract/connections/connections.schemas.ts'
import { noRequestSettings } from '../../contract/connections/request-settings.schemas.ts'
import { ApiError, invalidField } from '../../contract/errors.ts'
import { classifyHost } from '../../engine/clients/addresses/classify-host.ts'
import { judgeUrl } from '../../engine/clients/addresses/judge-url.ts'
import { unplacedSettings } from '../../engine/clients/wire/place-settings.ts'
import { scrubSecrets } from '../../lib/scrub-secrets.ts'
import type { Asker } from '../http/handler.ts'

/** A list of models comes at once or not at all. */
export const lookLimits = ConnectionLimits.parse({ attempt_timeout_ms: 10_000, max_concurrency: 1 })

/** An agent as a connection: it has no model to name. */
export function agentFields({
  name,
  agent_card_url,
  streaming,
  limits,
  ca_certificates,
  rates,
}: Extract<ConnectionBody, { kind: 'agent_to_agent' }>) {
  return {
    name,
    protocol: 'agent_to_agent' as const,
    probes: [],
    base_url: agent_card_url,
    model: 'agent',
    streaming,
    limits,
    ca_certificates,
    request_settings: noRequestSettings,
    rates,
  }
}

export function refuseForAgent(body: ConnectionUpdate): void {
  const field = (['protocol', 'probes', 'model', 'request_settings'] as const).find(name => body[name] !== undefined)
  if (field) throw invalidField(['body', field], 'an agent-to-agent connection has none', 'not_for_agents')
}

/** Settings that the protocol has no place for are refused, never silently left out; so are keys in what quotes and reports show. */
export function assertSettings({
  protocol,
  model,
  request_settings: settings,
}: Pick<Connection, 'protocol' | 'model' | 'request_settings'>): void {
  if (protocol === 'agent_to_agent') return
  const [name] = unplacedSettings(protocol, model, settings)
  if (name !== undefined)
    throw invalidField(
      ['body', 'request_settings', name],
      name === 'prompt_cache'
        ? `${model} by ${protocol} takes no marks for prompt caching; turn it off`
        : `the protocol ${protocol} has no such setting; remove it or use extra_body`,
      'not_in_protocol',
    )
  const text = JSON.stringify(settings)
  if (scrubSecrets(text) !== text)
    throw invalidField(
      ['body', 'request_settings'],
      'contains what looks like a key or token, and request settings are shown in results: enter the key in its own field or in a header',
      'secret_refused',
    )
}

/** Refuses at once what would be refused at every call, and what only a person may give: an address of a private network. */
export function assertAddress(url: string, { principal }: Asker, ownOrigin: string, field: 'base_url' | 'agent_card_url'): void {
  const verdict = judgeUrl(url, { createdBy: 'human', ownOrigin })
  const refusal =
    verdict.decision === 'deny'
      ? verdict.reason
      : scrubSecrets(url) === url
        ? null
        : 'The address contains what looks like a key or token. Addresses are displayed and logged: enter the key in its own field.'
  if (refusal)
    throw new ApiError('validation_error', `${field}: ${refusal}`, {
      detail: [{ loc: ['body', field], msg: refusal, type: 'address_refused' }],
    })
  const { reach, what } = classifyHost(new URL(url).hostname)
  if (principal.kind === 'api_key' && (reach === 'private' || reach === 'shared'))
    throw new ApiError(
      'human_approval_required',
      `A key may use public addresses and addresses of this machine; ${new URL(url).origin} is ${what}. Ask a signed-in person to add it.`,
    )
}
