import { ApiError, invalidField } from '../../contract/errors.ts'
import { type AddressPolicy, createAddressPolicy } from '../../engine/clients/address-policy.ts'
import type { Proxies } from '../../engine/clients/http/proxies.ts'
import { classifyHost } from '../../engine/clients/addresses/classify-host.ts'
import { judgeUrl } from '../../engine/clients/addresses/judge-url.ts'
import { scrubSecrets } from '../../lib/scrub-secrets.ts'
import { requireRole } from '../auth/index.ts'
import type { Asker } from '../http/handler.ts'

/**
 * Addresses that a person names to be sent signed requests: public https, this machine, and with `allow_private` from an owner or admin those of a private network.
 * @throws ApiError validation_error, human_approval_required, owner_session_required
 */
export function assertOutgoingUrl(text: string, allowPrivate: boolean, { principal, workspace }: Asker, ownOrigin: string): void {
  const refuse = (reason: string) => invalidField(['body', 'url'], reason, 'address_refused')
  const verdict = judgeUrl(text, { createdBy: 'human', ownOrigin })
  if (verdict.decision === 'deny') throw refuse(verdict.reason)
  if (scrubSecrets(text) !== text) throw refuse('the address holds what looks like a key or a token; send it as a header instead')
  const url = new URL(text)
  const { reach, what } = classifyHost(url.hostname)
  const isKey = principal.kind === 'api_key'
  if (isKey && (reach === 'private' || reach === 'shared' || allowPrivate || (reach === 'public' && url.protocol !== 'https:')))
    throw new ApiError(
      'human_approval_required',
      `A key may register public https addresses and addresses of this machine; ${url.origin} is ${reach === 'public' ? 'plain http' : what}. Ask an owner or admin to register it.`,
    )
  if (reach === 'public' && url.protocol !== 'https:')
    throw refuse('plain http to a public address can be read and changed on the way; use https')
  if (allowPrivate) requireRole(principal, workspace, ['owner', 'admin'], 'allow private addresses')
  else if (reach === 'private' || reach === 'shared') throw refuse(`${url.hostname} is ${what}; set allow_private to call it`)
}

interface OutgoingRules {
  readonly allowPrivate: boolean
  readonly ownOrigin: string
  /** What is called there, in the plural. */
  readonly uses: string
  readonly proxies: Proxies | undefined
}

/** What such an address's name may resolve to: never this machine unless its address says so, private networks only where allowed. */
export function outgoingAddressPolicy(url: URL, { allowPrivate, ownOrigin, uses, proxies }: OutgoingRules): AddressPolicy {
  const base = createAddressPolicy({ ownOrigin })
  const isLocal = classifyHost(url.hostname).reach === 'loopback'
  const hostRefusal = (host: string, port: number): string | null => {
    const refusal = base.hostRefusal(host, port)
    if (refusal !== null) return refusal
    const { reach, what } = classifyHost(host)
    if (reach === 'public' || (reach === 'loopback' && isLocal) || (allowPrivate && reach !== 'loopback')) return null
    return `${host} is ${what}, which is not allowed for ${uses}.`
  }
  return {
    proxies,
    hostRefusal,
    refusal: target =>
      base.refusal(target) ??
      hostRefusal(target.hostname, target.port === '' ? (target.protocol === 'https:' ? 443 : 80) : Number(target.port)),
  }
}
