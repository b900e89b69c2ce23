import type { z } from 'zod'
import type { Rates } from '../../contract/catalog/models.schemas.ts'
import { ServiceError } from '../../contract/client.ts'
import {
  AgentConnectionBody,
  type Connection,
  type ConnectionBody,
  ConnectionUpdate,
  EndpointLook,
  type ProbedCapability,
  StandardConnectionBody,
} from '../../contract/connections/connections.schemas.ts'
import { readDollars, typedDollars } from '../ui/forms/dollars.ts'
import { emptyPartRates, type PartRateForm, partRateForm, partRates } from './part-rates.ts'

/** What the form holds: text as typed, since a number that is being typed is not one yet. */
export interface ConnectionForm extends PartRateForm {
  readonly protocol: Connection['protocol']
  /** Capabilities that the check is to prove. */
  readonly probes: readonly ProbedCapability[]
  readonly name: string
  /** Of an agent: the address of its card. */
  readonly base_url: string
  readonly model: string
  readonly streaming: boolean
  /** Empty: none for a new connection, unchanged for a stored one. */
  readonly api_key: string
  readonly forget_key: boolean
  readonly headers: readonly HeaderRow[]
  readonly replace_headers: boolean
  readonly max_concurrency: string | number
  readonly attempt_timeout_s: string | number
  readonly on_throttle: Connection['limits']['on_throttle']
  readonly requests_per_minute: string | number
  readonly tokens_per_minute: string | number
  readonly context_tokens: string | number
  readonly max_output_tokens: string | number
  /** Dollars for a million tokens; both empty: not known. */
  readonly input_dollars: string
  readonly output_dollars: string
  /** Sent with every call; empty: the provider's default. */
  readonly top_p: string | number
  readonly top_k: string | number
  readonly seed: string | number
  readonly frequency_penalty: string | number
  /** One a line. */
  readonly stop: string
  /** JSON objects as typed. */
  readonly chat_template_kwargs: string
  readonly response_schema: string
  readonly extra_body: string
  readonly system_as_user: boolean
  readonly prompt_cache: boolean
  /** PEM; empty: none. */
  readonly ca_certificates: string
}

export interface HeaderRow {
  readonly key: string
  readonly name: string
  readonly value: string
}

export const emptyForm: ConnectionForm = {
  protocol: 'openai_chat',
  probes: [],
  name: '',
  base_url: '',
  model: '',
  streaming: false,
  api_key: '',
  forget_key: false,
  headers: [],
  replace_headers: true,
  max_concurrency: 16,
  attempt_timeout_s: 120,
  on_throttle: 'adapt',
  requests_per_minute: '',
  tokens_per_minute: '',
  context_tokens: '',
  max_output_tokens: '',
  input_dollars: '',
  output_dollars: '',
  ...emptyPartRates,
  top_p: '',
  top_k: '',
  seed: '',
  frequency_penalty: '',
  stop: '',
  chat_template_kwargs: '',
  response_schema: '',
  extra_body: '',
  system_as_user: false,
  prompt_cache: false,
  ca_certificates: '',
}

/** The form for a new connection like a stored one. Secrets are not in it: the service copies them itself. */
export function copyOf(connection: Connection): ConnectionForm {
  return { ...formOf(connection), name: `${connection.name} (copy)` }
}

/** The form for a stored connection. Secrets are not in it: the service never gives them out. */
export function formOf(connection: Connection): ConnectionForm {
  const { protocol, probes, name, base_url, model, streaming, limits, rates, request_settings: settings } = connection
  return {
    ...emptyForm,
    protocol,
    probes,
    name,
    base_url,
    model,
    streaming,
    replace_headers: false,
    max_concurrency: limits.max_concurrency,
    attempt_timeout_s: limits.attempt_timeout_ms / 1000,
    on_throttle: limits.on_throttle,
    requests_per_minute: limits.requests_per_minute ?? '',
    tokens_per_minute: limits.tokens_per_minute ?? '',
    context_tokens: limits.context_tokens ?? '',
    max_output_tokens: limits.max_output_tokens ?? '',
    input_dollars: rates ? typedDollars(rates.input_microusd_per_million) : '',
    output_dollars: rates ? typedDollars(rates.output_microusd_per_million) : '',
    ...typedPartRates(rates),
    top_p: settings.top_p ?? '',
    top_k: settings.top_k ?? '',
    seed: settings.seed ?? '',
    frequency_penalty: settings.frequency_penalty ?? '',
    stop: settings.stop.join('\n'),
    chat_template_kwargs: typedJson(settings.chat_template_kwargs),
    response_schema: typedJson(settings.response_format?.schema ?? null),
    extra_body: Object.keys(settings.extra_body).length === 0 ? '' : typedJson(settings.extra_body),
    system_as_user: settings.system_as_user,
    prompt_cache: settings.prompt_cache ?? false,
    ca_certificates: connection.ca_certificates ?? '',
  }
}

function typedJson(value: object | null): string {
  return value === null ? '' : JSON.stringify(value, null, 2)
}

/** Whether saving would clear the stored key and headers, because they belong to the address's origin. */
export function clearsSecret(form: ConnectionForm, stored: Connection): boolean {
  return hasSecret(stored) && originOf(form.base_url) !== originOf(stored.base_url)
}

export function hasSecret({ has_api_key, header_names }: Connection): boolean {
  return has_api_key || header_names.length > 0
}

/** Other connections to the host of one, with keys of their own, which stay when that one's key is deleted. */
export function otherKeyHolders(of: Connection, connections: readonly Connection[]): readonly string[] {
  const isOther = (one: Connection) => one.id !== of.id && one.has_api_key && originOf(one.base_url) === originOf(of.base_url)
  return of.has_api_key ? connections.filter(isOther).map(({ name }) => name) : []
}

/** Whether a copy has the key and headers of what it is a copy of, which belong to that one's origin. */
export function keepsSecret(form: ConnectionForm, like: Connection): boolean {
  return hasSecret(like) && !clearsSecret(form, like)
}

function credentials(form: ConnectionForm, like: Connection | null): Record<string, unknown> {
  if (like && keepsSecret(form, like)) return { credentials_from: like.id, ...changedSecret(form) }
  return { ...(form.api_key ? { api_key: form.api_key } : {}), headers: headersOf(form) }
}

/** What is left empty of the stored secrets stays as it is. */
function changedSecret(form: ConnectionForm): Record<string, unknown> {
  return {
    ...(form.forget_key ? { api_key: null } : form.api_key ? { api_key: form.api_key } : {}),
    ...(form.replace_headers ? { headers: headersOf(form) } : {}),
  }
}

function originOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).origin : null
}

type Read<Body> = { readonly body: Body } | { readonly errors: FormErrors }
export type FormErrors = Partial<Record<keyof ConnectionForm, string>>

/**
 * The form as a new connection, or the contract's complaints by field.
 * @param like what it is a copy of
 */
export function readNew(form: ConnectionForm, like: Connection | null = null): Read<ConnectionBody> {
  if (form.protocol === 'agent_to_agent') {
    return read(AgentConnectionBody, {
      kind: 'agent_to_agent',
      name: form.name,
      agent_card_url: form.base_url.trim(),
      ca_certificates: certificatesOf(form),
      limits: limitsOf(form),
      rates: ratesOf(form),
      ...credentials(form, like),
    })
  }
  return read(StandardConnectionBody, { ...plainFields(form), ...credentials(form, like) })
}

/** The form as a change of a stored connection. */
export function readUpdate(form: ConnectionForm): Read<ConnectionUpdate> {
  return read(ConnectionUpdate, { ...plainFields(form), ...changedSecret(form) })
}

function plainFields(form: ConnectionForm): Record<string, unknown> {
  const { protocol, name, base_url, model, streaming } = form
  const endpoint = {
    name,
    base_url: base_url.trim(),
    limits: limitsOf(form),
    rates: ratesOf(form),
    ca_certificates: certificatesOf(form),
  }
  if (protocol === 'agent_to_agent') return { ...endpoint, streaming }
  return { ...endpoint, protocol, probes: form.probes, model, streaming, request_settings: settingsOf(form) }
}

function certificatesOf({ ca_certificates: pem }: ConnectionForm): string | null {
  return pem.trim() === '' ? null : pem
}

function settingsOf(form: ConnectionForm): Record<string, unknown> {
  return {
    top_p: numberOrNull(form.top_p),
    top_k: numberOrNull(form.top_k),
    seed: numberOrNull(form.seed),
    frequency_penalty: numberOrNull(form.frequency_penalty),
    stop: form.stop.split('\n').filter(text => text !== ''),
    chat_template_kwargs: jsonOf(form.chat_template_kwargs) ?? null,
    response_format: form.response_schema.trim() === '' ? null : { schema: jsonOf(form.response_schema) },
    extra_body: jsonOf(form.extra_body) ?? {},
    system_as_user: form.system_as_user,
    ...(form.prompt_cache && { prompt_cache: true }),
  }
}

/** Undefined where nothing is typed. Text that is no JSON is passed on, so that the schema reports the field. */
function jsonOf(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function headersOf(form: ConnectionForm): Record<string, string> {
  return Object.fromEntries(form.headers.filter(({ name }) => name !== '').map(({ name, value }) => [name, value]))
}

function limitsOf(form: ConnectionForm): Record<string, unknown> {
  return {
    max_concurrency: numberOrNull(form.max_concurrency),
    on_throttle: form.on_throttle,
    attempt_timeout_ms: form.attempt_timeout_s === '' ? null : Math.round(Number(form.attempt_timeout_s) * 1000),
    requests_per_minute: numberOrNull(form.requests_per_minute),
    tokens_per_minute: numberOrNull(form.tokens_per_minute),
    context_tokens: numberOrNull(form.context_tokens),
    max_output_tokens: numberOrNull(form.max_output_tokens),
  }
}

function numberOrNull(value: string | number): number | null {
  return value === '' ? null : Number(value)
}

/** Amounts as a person types them; empty where a kind has no rate of its own. */
export function typedPartRates(rates: Partial<Rates> | null): PartRateForm {
  return partRateForm(name => {
    const rate = rates?.[name]
    return rate === undefined ? '' : typedDollars(rate)
  })
}

/** Rates of an endpoint may be unknown. */
export const rateRules = { empty: 'Not known' } as const

/** Null where all fields are empty. Invalid amounts are passed on as typed, so that the schema reports the field. */
function ratesOf(form: ConnectionForm): Record<string, unknown> | null {
  const parts = partRates.filter(({ field }) => form[field].trim() !== '')
  if (form.input_dollars.trim() === '' && form.output_dollars.trim() === '' && parts.length === 0) return null
  return {
    input_microusd_per_million: readDollars(form.input_dollars).amount ?? '',
    output_microusd_per_million: readDollars(form.output_dollars).amount ?? '',
    ...Object.fromEntries(parts.map(({ rate, field }) => [rate, readDollars(form[field]).amount ?? ''])),
  }
}

/**
 * What the form says of the endpoint so far, to ask for its models with the key and headers that saving would leave.
 * @param holder whose key and headers are sent where the form replaces none
 */
export function readLook(form: ConnectionForm, holder: Connection | null): Read<EndpointLook> {
  const { protocol, base_url: address } = form
  return read(EndpointLook, {
    protocol,
    base_url: address.trim(),
    ...changedSecret(form),
    ...(holder && { connection_id: holder.id }),
  })
}

/** What the service refused, by field; nothing where it refused something else. */
export function refusedFields(error: Error | null): FormErrors {
  if (!(error instanceof ServiceError)) return {}
  return Object.fromEntries(error.detail.filter(({ loc }) => loc[0] === 'body').map(({ loc, msg }) => [fieldOf(loc.slice(1)), msg]))
}

function read<Body>(schema: z.ZodType<Body>, plain: unknown): Read<Body> {
  const parsed = schema.safeParse(plain)
  if (parsed.success) return { body: parsed.data }
  const errors: FormErrors = {}
  for (const issue of parsed.error.issues) errors[fieldOf(issue.path)] ??= wording(issue)
  return { errors }
}

const otherNames: Readonly<Record<string, keyof ConnectionForm>> = {
  attempt_timeout_ms: 'attempt_timeout_s',
  agent_card_url: 'base_url',
  input_microusd_per_million: 'input_dollars',
  output_microusd_per_million: 'output_dollars',
  ...Object.fromEntries(partRates.map(({ rate, field }) => [rate, field])),
  response_format: 'response_schema',
  request_settings: 'extra_body',
}

function fieldOf([first, second]: readonly PropertyKey[]): keyof ConnectionForm {
  const isInside = second !== undefined && (first === 'limits' || first === 'rates' || first === 'request_settings')
  const name = String(isInside ? second : first)
  return otherNames[name] ?? formFields.find(field => field === name) ?? 'name'
}

// The keys of a literal are the keys of its type.
const formFields = Object.keys(emptyForm) as (keyof ConnectionForm)[]

const jsonFields: ReadonlySet<string> = new Set(['chat_template_kwargs', 'response_format', 'extra_body'])

function wording(issue: z.core.$ZodIssue): string {
  const [first, second] = issue.path
  if (first === 'rates' && partRates.some(({ rate }) => rate === second)) return 'Enter an amount, such as 0.25, or leave it empty'
  if (first === 'rates') return 'Enter both rates, such as 2.50, or leave both empty'
  if (first === 'headers') return `${String(second ?? 'A header')}: a name has letters, digits and dashes; a value is printable ASCII`
  if (first === 'request_settings' && issue.code === 'invalid_type' && jsonFields.has(String(second)))
    return 'Enter a JSON object, such as {"key": "value"}'
  if (second === 'attempt_timeout_ms') return 'Give seconds between 1 and 3,600'
  if (issue.code === 'too_small' && issue.origin === 'string') return 'Give a value'
  if (issue.code === 'invalid_type') return 'Give a number'
  return issue.message.slice(0, 1).toUpperCase() + issue.message.slice(1)
}
