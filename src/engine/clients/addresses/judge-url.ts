import { createAddressPolicy } from '../address-policy.ts'
import { classifyHost } from './classify-host.ts'

/** `ask`: a person must approve this exact origin first. Reasons and warnings are sentences for people. */
export type UrlVerdict =
  | { readonly decision: 'allow'; readonly warnings: readonly string[] }
  | { readonly decision: 'ask'; readonly reason: string; readonly warnings: readonly string[] }
  | { readonly decision: 'deny'; readonly reason: string }

export interface UrlJudgment {
  /** Agents and imported packages may reach public https addresses without being asked; people also their own machine and network. */
  readonly createdBy: 'human' | 'agent'
  readonly ownOrigin: string | null
}

/** Characters that URL parsers drop or turn around, so that what is read is not what is called: blanks, controls, invisible ones, `\`. */
const deceptive = /[\\\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/u

/** Checks an address as typed, before a connection is stored. */
export function judgeUrl(text: string, { createdBy, ownOrigin }: UrlJudgment): UrlVerdict {
  if (deceptive.test(text))
    return {
      decision: 'deny',
      reason: 'The address contains a space, a backslash or an invisible character. Type it instead of pasting it.',
    }
  const url = URL.parse(text)
  if (url === null) return { decision: 'deny', reason: 'That is no address. It should look like http://127.0.0.1:8000/v1.' }
  const refusal = createAddressPolicy({ ownOrigin }).refusal(url)
  if (refusal !== null) return { decision: 'deny', reason: refusal }
  const { reach, what } = classifyHost(url.hostname)
  const warnings: string[] = []
  if (url.protocol === 'http:' && reach !== 'loopback') {
    warnings.push('Plain http: the key and every prompt can be read on the way. Use https if the server offers it.')
  }
  if (reach === 'shared') warnings.push(`${url.hostname} is ${what}. Check that it is the machine you mean.`)
  if (createdBy === 'human' || (reach === 'public' && url.protocol === 'https:')) return { decision: 'allow', warnings }
  const why = reach === 'public' ? 'it uses plain http' : `it is ${what}`
  return { decision: 'ask', reason: `A person must approve ${url.origin}, because ${why}.`, warnings }
}
