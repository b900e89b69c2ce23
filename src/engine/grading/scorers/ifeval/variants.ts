import { strip } from '../python/strings.ts'

/**
 * The eight texts that the loose rule tries: as it is, without the first line, without the last, without both, and each of these
 * without any `*`; no text twice. Texts of white space only follow nothing and are left out.
 */
export function looseVariants(response: string): readonly string[] {
  const lines = response.split('\n')
  const cut = [lines.slice(1), lines.slice(0, -1), lines.slice(1, -1)].map(part => strip(part.join('\n')))
  const kept = [response, ...cut]
  // Without a `*` in the response, half of them would only be looked at twice.
  const all = new Set([...kept, ...kept.map(text => text.replaceAll('*', ''))])
  return [...all].filter(text => strip(text) !== '')
}

/** What the strict rule tries: the response itself, if there is anything in it. */
export function strictVariants(response: string): readonly string[] {
  return strip(response) === '' ? [] : [response]
}
