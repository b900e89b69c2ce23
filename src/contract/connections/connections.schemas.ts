import { z } from 'zod'
import { Effort, Rates } from '../catalog/models.schemas.ts'
import { Name, named, Timestamp, Uuid } from '../primitives.ts'
import { connectionMachine } from './connection.machine.ts'
import { EndpointParameters, RequestSettings } from './request-settings.schemas.ts'

export const ConnectionLimits = named('ConnectionLimits', {
  max_concurrency: z.int().min(1).max(1024).default(16).describe('Max concurrency.'),
  requests_per_minute: z.int().min(1).max(10_000_000).nullable().default(null),
  tokens_per_minute: z.int().min(1).max(10_000_000_000).nullable().default(null).describe('Prompt and output tokens together.'),
  on_throttle: z
    .enum(['adapt', 'fail_fast'])
    .default('adapt')
    .describe(
      '`adapt`: adapts concurrency to the endpoint and obeys Retry-After. `fail_fast`: uses full concurrency; a throttled call fails its sample.',
    ),
  attempt_timeout_ms: z.int().min(1_000).max(3_600_000).default(120_000).describe('Timeout of one call, in milliseconds.'),
  context_tokens: z.int().min(1).max(100_000_000).nullable().default(null).describe('Null if unknown, so it is not checked.'),
  max_output_tokens: z.int().min(1).max(10_000_000).nullable().default(null),
})

/** @param missing what is said where there is none */
const baseUrl = (missing = 'is required') =>
  z
    .url({
      protocol: /^https?$/,
      error: ({ input }) => (input === undefined ? missing : 'must be an http or https address such as http://127.0.0.1:8000/v1'),
    })
    .max(2000)
    .describe('Address up to and including the version part, e.g. `https://api.example.com/v1`. No credentials in it.')
const BaseUrl = baseUrl()

export const ApiKey = z
  .string()
  .min(1)
  .max(4000)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without blanks')

const ExtraHeaders = z
  .record(
    z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'is not a header name'),
    z
      .string()
      .max(4000)
      .regex(/^[\t\x20-\x7e]*$/, 'must be printable ASCII'),
  )
  .refine(h => Object.keys(h).length <= 32, 'at most 32 headers')
  .describe('Sent with every call. Values are stored encrypted and never returned.')

/** Wire protocol of the endpoint. */
export const ConnectionProtocol = z
  .enum([
    'openai_chat',
    'openai_completions',
    'openai_responses',
    'openai_embeddings',
    'anthropic_messages',
    'gemini',
    'ollama',
    'llama_cpp',
    'vllm',
  ])
  .describe(
    'Chat completions, completions and responses are OpenAI’s and offered by many servers; `openai_embeddings` returns vectors of texts, for evaluators of the kind `embedding`, and answers no prompts; `gemini` is Gemini’s generateContent, its base URL with `/v1beta`; `ollama` is Ollama’s own API, its base URL without `/v1`; `llama_cpp` and `vllm` are chat completions with what those servers add.',
  )
export type ConnectionProtocol = z.infer<typeof ConnectionProtocol>

/** Capability that a check must verify before it is used. */
export const ProbedCapability = z
  .enum(['tools', 'loglikelihood', 'images', 'audio', 'documents'])
  .describe(
    '`tools`: native tool calls; `loglikelihood`: log-likelihoods of given continuations, for multiple choice; `images`, `audio`, `documents`: whether the model takes them, by a question about a small file.',
  )
export type ProbedCapability = z.infer<typeof ProbedCapability>

const Probes = z
  .array(ProbedCapability)
  .max(5)
  .refine(probes => new Set(probes).size === probes.length, 'names a capability twice')
  .describe('Capabilities to test. A check sends one or two small requests for each; untested capabilities are not used.')

const CaCertificates = z
  .string()
  .max(200_000)
  .regex(/-----BEGIN CERTIFICATE-----/, 'must be certificates in PEM form, beginning with -----BEGIN CERTIFICATE-----')
  .nullable()
  .describe('Certificates of authorities, in PEM form, trusted for this connection beside those of the system. Null: none.')

/** Half of a surrogate pair cannot be sent. */
export const ModelName = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not have control characters or halves of surrogate pairs')
  .describe('Model name as the endpoint expects it.')

const standardFields = {
  name: Name,
  base_url: BaseUrl,
  model: ModelName,
  streaming: z.boolean().describe('Stream answers as server-sent events.'),
  api_key: ApiKey.describe('Write-only. Bound to the base URL’s origin: changing that clears it.'),
  headers: ExtraHeaders,
  limits: ConnectionLimits,
  ca_certificates: CaCertificates,
  request_settings: RequestSettings.describe('Sent with every call. Frozen by quotes.'),
  rates: Rates.nullable().describe('Provider prices, for estimates; null if unknown. The provider bills these, not the wallet.'),
}

const newCredentials = {
  api_key: standardFields.api_key.nullable().optional().describe('Null: none, not even that of `credentials_from`.'),
  headers: standardFields.headers.optional(),
  credentials_from: z
    .exactOptional(Uuid)
    .describe(
      'Copies the stored key and headers of this connection, which has the same origin. `api_key` replaces the key, `headers` all headers.',
    ),
}

export const StandardConnectionBody = named('StandardConnectionBody', {
  kind: z.literal('openai_compatible').default('openai_compatible').describe('Standard connection, with any protocol.'),
  protocol: ConnectionProtocol.default('openai_chat'),
  probes: Probes.default([]),
  name: standardFields.name,
  base_url: baseUrl('is required; an agent has "kind": "agent_to_agent" and "agent_card_url" instead'),
  model: standardFields.model,
  streaming: standardFields.streaming.default(false),
  ...newCredentials,
  limits: standardFields.limits.default(() => ConnectionLimits.parse({})),
  ca_certificates: standardFields.ca_certificates.default(null),
  request_settings: standardFields.request_settings.default(() => RequestSettings.parse({})),
  rates: standardFields.rates.default(null),
})

export const AgentConnectionBody = named('AgentConnectionBody', {
  kind: z.literal('agent_to_agent'),
  name: standardFields.name,
  agent_card_url: BaseUrl.describe('Address of the agent card.'),
  streaming: z.boolean().default(false).describe('Stream task updates from the agent instead of polling.'),
  ...newCredentials,
  limits: standardFields.limits.default(() => ConnectionLimits.parse({})),
  ca_certificates: standardFields.ca_certificates.default(null),
  rates: standardFields.rates.default(null),
})

/** Exactly one of the two shapes. */
export const ConnectionBody = z.union([StandardConnectionBody, AgentConnectionBody])

export const ConnectionUpdate = z
  .strictObject({
    name: standardFields.name.optional(),
    protocol: ConnectionProtocol.optional().describe('For standard connections.'),
    probes: Probes.optional(),
    base_url: standardFields.base_url.optional(),
    model: standardFields.model.optional(),
    streaming: standardFields.streaming.optional(),
    api_key: standardFields.api_key.nullable().optional().describe('A new key, or null to delete the stored one.'),
    headers: standardFields.headers.optional().describe('Replaces all extra headers.'),
    limits: standardFields.limits.partial().optional(),
    ca_certificates: standardFields.ca_certificates.optional(),
    request_settings: standardFields.request_settings.optional().describe('Replaces all request settings.'),
    rates: standardFields.rates.optional(),
  })
  .refine(body => Object.keys(body).length > 0, 'nothing to change: give at least one field')
  .meta({ id: 'ConnectionUpdate' })

/** Result of the last check. The provider may bill the small request that a check makes. */
export const ConnectionCheck = z.strictObject({
  checked_at: Timestamp,
  ok: z.boolean(),
  code: z
    .string()
    .nullable()
    .describe(
      'Class of failure: `unreachable`, `timeout`, `credential_refused`, `model_not_found`, `rate_limited`, `quota_exhausted`, `provider_failure`, `bad_response`, `redirect_refused`, `certificate_refused`, `address_refused`; null when ok.',
    ),
  message: z.string().describe('What happened and what to do, without the provider’s raw body.'),
  latency_ms: z.number().nullable(),
  streaming: z.boolean().nullable().describe('Whether the endpoint streamed when streaming was requested.'),
  capabilities: z
    .array(z.strictObject({ capability: ProbedCapability, verified: z.boolean(), detail: z.string() }))
    .default([])
    .describe('Results of the capability probes.'),
  reports_usage: z.boolean().nullable().describe('Whether the endpoint counts its own tokens.'),
  empty_answer: z.boolean().default(false).describe('The endpoint responded, but with no text.'),
  parameters: EndpointParameters.nullable()
    .default(null)
    .describe('What the endpoint takes, as this check found out. Calls and quotes use it until the next check. Null if not known.'),
  context_tokens: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('How many tokens the server says that prompt and answer may have together; null where it does not say.'),
  reasons: z
    .boolean()
    .nullable()
    .default(null)
    .describe('Whether the model thought before it answered the check; null where that is not known.'),
  proposed_base_url: z
    .string()
    .nullable()
    .default(null)
    .describe('Where the endpoint answers instead, when the check failed and this address was found to work.'),
})

export const Connection = named('Connection', {
  id: Uuid,
  kind: z.enum(['openai_compatible', 'agent_to_agent']),
  name: Name,
  protocol: z.enum([...ConnectionProtocol.options, 'agent_to_agent']),
  probes: z.array(ProbedCapability),
  capabilities: z
    .array(z.string())
    .describe('Capabilities: `chat`, or `embeddings` by that protocol, and those that the last check verified.'),
  base_url: z.string().describe('For an agent: the address of its card.'),
  model: z.string(),
  streaming: z.boolean(),
  has_api_key: z.boolean(),
  header_names: z.array(z.string()),
  limits: ConnectionLimits,
  ca_certificates: z.string().nullable(),
  request_settings: RequestSettings,
  rates: Rates.nullable(),
  efforts: z.array(Effort).describe('Reasoning efforts supported by its protocol; may be empty.'),
  status: z.enum(connectionMachine.states),
  last_check: ConnectionCheck.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

/** An endpoint as it is typed, before it is a connection. */
export const EndpointLook = named('EndpointLook', {
  protocol: ConnectionProtocol.default('openai_chat'),
  base_url: BaseUrl,
  api_key: ApiKey.nullable().optional().describe('Used for this request and not stored. Null: none, not even that of `connection_id`.'),
  headers: ExtraHeaders.optional(),
  connection_id: Uuid.optional().describe(
    'Uses the stored key and headers of this connection if it has the same origin; `api_key` replaces the key, `headers` all headers.',
  ),
})

export const EndpointModels = named('EndpointModels', {
  items: z.array(
    z.strictObject({ model: z.string(), context_tokens: z.int().min(1).nullable().describe('Null if the endpoint does not state it.') }),
  ),
  message: z
    .string()
    .nullable()
    .describe('Why no models could be listed, or that the list is incomplete, and what to do; null if all were listed.'),
})

export const PromptTrial = named('PromptTrial', {
  prompt: z.string().trim().min(1).max(2000),
  max_output_tokens: z.int().min(1).max(512).default(256),
})

export const PromptTrialResult = named('PromptTrialResult', {
  ok: z.boolean(),
  output: z.string().nullable().describe('The answer without its reasoning; null if the call failed.'),
  reasoning: z.string().nullable().describe('Null if the model told none.'),
  finish_reason: z.string().nullable(),
  message: z.string().nullable().describe('Why the call failed, and what to do; null if it did not.'),
  latency_ms: z.number(),
  input_tokens: z.int().min(0).nullable().describe('Null if the provider does not count them.'),
  output_tokens: z.int().min(0).nullable(),
})

export type EndpointLook = z.infer<typeof EndpointLook>
export type EndpointModels = z.infer<typeof EndpointModels>
export type PromptTrial = z.infer<typeof PromptTrial>
export type PromptTrialResult = z.infer<typeof PromptTrialResult>
export type Connection = z.infer<typeof Connection>
export type ConnectionBody = z.infer<typeof ConnectionBody>
export type ConnectionUpdate = z.infer<typeof ConnectionUpdate>
export type ConnectionCheck = z.infer<typeof ConnectionCheck>
export type ConnectionLimits = z.infer<typeof ConnectionLimits>
export type StandardConnectionBody = z.infer<typeof StandardConnectionBody>
