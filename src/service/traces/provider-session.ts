import { z } from 'zod'
import { ApiError, invalidField } from '../../contract/errors.ts'
import { createAddressPolicy } from '../../engine/clients/address-policy.ts'
import { classifyHost } from '../../engine/clients/addresses/classify-host.ts'
import { judgeUrl } from '../../engine/clients/addresses/judge-url.ts'
import { badReply, ProviderFault } from '../../engine/clients/tracing/provider-fault.ts'
import { createProviderTransport, type ProviderTransport } from '../../engine/clients/tracing/provider-transport.ts'
import type { Ask, Project, ProviderCredentials, TraceAdapter } from '../../engine/clients/tracing/trace-adapter.ts'
import { scrubSecrets } from '../../lib/scrub-secrets.ts'
import type { Principal } from '../auth/index.ts'
import type { SecretBox, SecretPlace } from '../host.ts'
import type { Asker } from '../http/handler.ts'
import type { Kernel } from '../kernel.ts'
import type { NetworkLog } from '../network/index.ts'
import { unsealSecret } from '../sealed-secret.ts'
import type { StoredIntegration } from './integrations.store.ts'

const Secret = z.strictObject({ key: z.string(), secret: z.string().nullable() })

/** Of an integration's credentials: they are for its address alone. */
export function credentialPlace(workspaceId: string, integrationId: string, baseUrl: string): SecretPlace {
  return { workspaceId, table: 'trace_integrations', rowId: integrationId, origin: new URL(baseUrl).origin }
}

/** @throws ApiError unavailable where the secret was sealed elsewhere */
export async function unsealCredentials(box: SecretBox, integration: StoredIntegration): Promise<ProviderCredentials> {
  const { record, secret, secretOrigin, workspaceId } = integration
  const place = credentialPlace(workspaceId, record.id, record.base_url)
  // A secret may only be sent to the origin that it was given for.
  if (!secret || secretOrigin !== place.origin)
    throw new ApiError('illegal_transition', 'The integration has no credentials. Connect the project again.')
  const message = `The stored credentials can't be decrypted: they were stored on another machine or for another integration or address than ${place.origin}. Reconnect the integration.`
  return unsealSecret(box, secret, place, Secret, message)
}

/** The secrets of integrations by value; of those that cannot be decrypted here, nothing. */
export async function credentialValues(box: SecretBox, integrations: readonly StoredIntegration[]): Promise<string[]> {
  const read = await Promise.allSettled(integrations.map(integration => unsealCredentials(box, integration)))
  return read.flatMap(one => (one.status === 'fulfilled' ? [one.value.key, one.value.secret].filter(value => value !== null) : []))
}

/** A provider that can be asked, until it is closed. */
export interface ProviderSession extends Pick<ProviderTransport, 'send' | 'close'> {
  readonly ask: Ask
}

export interface OpenProvider {
  readonly workspaceId: string
  readonly adapter: TraceAdapter
  readonly baseUrl: string
  readonly credentials: ProviderCredentials
  readonly project: Project | null
  readonly allowPrivate: boolean
}

export function openProvider(
  { accessPolicy, clock }: Pick<Kernel, 'accessPolicy' | 'clock'>,
  network: NetworkLog,
  given: OpenProvider,
  signal: AbortSignal,
): ProviderSession {
  const { adapter, baseUrl, credentials, project } = given
  const isPublic = classifyHost(new URL(baseUrl).hostname).reach === 'public'
  const transport = createProviderTransport({
    baseUrl,
    headers: adapter.headers(credentials, project),
    secrets: adapter.secrets(credentials),
    // A public name must not lead into a private network, unless a person allowed that.
    addressPolicy: createAddressPolicy({
      ownOrigin: ownOrigin(accessPolicy),
      reach: isPublic && !given.allowPrivate ? 'public' : 'anywhere',
      proxies: network.proxies(),
    }),
    traffic: network.meterFor(given.workspaceId),
    now: () => clock.now().getTime(),
  })
  return {
    send: transport.send,
    close: transport.close,
    ask: async request => {
      const { body } = await transport.send(request, signal)
      try {
        return JSON.parse(body.toString())
      } catch {
        throw badReply('is not valid JSON')
      }
    },
  }
}

export function ownOrigin(accessPolicy: Kernel['accessPolicy']): string {
  return `http://127.0.0.1:${accessPolicy().port}`
}

/** Refuses at once what no person may call, or what a key may not. */
export function checkAddress(
  url: string,
  field: 'host' | 'base_url',
  allowPrivate: boolean,
  { principal, workspace }: Asker,
  own: string,
): void {
  const verdict = judgeUrl(url, { createdBy: principal.kind === 'session' ? 'human' : 'agent', ownOrigin: own })
  const { reach, what } = classifyHost(URL.parse(url)?.hostname ?? '')
  if (verdict.decision === 'deny') throw invalidField(['body', field], verdict.reason, 'address_refused')
  if (URL.parse(url)?.search) throw invalidField(['body', field], 'An address has no query (?…). Remove it.', 'address_refused')
  if (scrubSecrets(url) !== url)
    throw invalidField(['body', field], 'The address contains what looks like a key. Send the key in its own field.', 'address_refused')
  const isAdministrator = workspace.role === 'owner' || workspace.role === 'admin'
  if (allowPrivate && !isAdministrator)
    throw new ApiError('human_approval_required', 'Only a signed-in owner or admin may set allow_private.')
  if (reach === 'loopback') return
  if (verdict.decision === 'ask') throw new ApiError('human_approval_required', verdict.reason)
  if (reach !== 'public' && !allowPrivate)
    throw invalidField(
      ['body', field],
      `${new URL(url).hostname} is ${what}. An owner or admin may allow it with allow_private.`,
      'address_refused',
    )
}

/** Which fields of a request a provider's refusal is about. */
export interface FaultFields {
  readonly credential: string
  readonly address: string
  readonly project: string | null
}

/**
 * What a client is told about a provider's fault. A program is told the class alone: the words of a server that it chose could be those of one
 * that it may not read.
 */
export function toApiError(fault: unknown, fields: FaultFields | null, principal: Principal | null): unknown {
  if (!(fault instanceof ProviderFault)) return fault
  const said = fault.said !== null && principal?.kind === 'session' ? ` The provider said: ${fault.said}` : ''
  const message = `${fault.message}${said}`
  const seconds = Math.min(3600, Math.ceil((fault.retryAfterMs ?? 60_000) / 1000))
  switch (fault.code) {
    case 'credential_refused':
      return fields ? invalidField(['body', fields.credential], message, 'credential_refused') : new ApiError('provider_error', message)
    case 'address_refused':
      return fields ? invalidField(['body', fields.address], message, 'address_refused') : new ApiError('provider_error', message)
    case 'rate_limited':
      return new ApiError('rate_limited', `${message} Try again in ${seconds} s.`, { headers: { 'retry-after': String(seconds) } })
    case 'not_found':
      return fields?.project && (fault.status === null || fault.status === 404)
        ? invalidField(['body', fields.project], message, 'project_not_found')
        : new ApiError('provider_error', message)
    default:
      return new ApiError('provider_error', message)
  }
}
