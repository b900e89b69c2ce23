import { trimEndOf } from './trim-end.ts'

/** What clients add to a base URL, which people paste with it. */
const endpointPath = /\/(?:chat\/completions|chat|completions|responses|messages|embeddings|models)$/i
const geminiPath = /\/models(?:\/[^/]+)?$/i
const ollamaPath = /(?:\/v1)?(?:\/api(?:\/(?:chat|generate|tags|show|ps|version))?|\/chat\/completions|\/models)?$/
const azureHost = /\.(?:openai|cognitiveservices|services\.ai)\.azure\.(?:com|us|cn)(?::\d+)?$/i
const deployment = /^\/openai\/deployments\/[^/]+$/
/** The newest general version of Azure's classic API. */
const azureVersion = 'api-version=2024-10-21'

/** Of a host with its port or a dot: this machine and addresses speak plain HTTP. */
function withScheme(text: string): string {
  if (!/^(?:[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:\d))(?::\d+)?(?:\/|$)/.test(text)) return text
  return /^(?:localhost|[\d.]+)(?:[:/]|$)|^[\w-]+:/.test(text) ? `http://${text}` : `https://${text}`
}

/** What a base URL consists of; the text is not decoded, so that what is shown is what was typed. */
function parts(text: string): { readonly origin: string; readonly path: string; readonly query: string } | null {
  const [, origin, path = '', query = ''] = /^(https?:\/\/[^/?#\s]+)((?:\/[^?#\s]*)?)(\?[^#\s]*)?(?:#\S*)?$/i.exec(withScheme(text)) ?? []
  if (origin === undefined) return null
  return { origin, path: trimEndOf(path.replaceAll(/\/{2,}/g, '/'), /\//), query: query === '?' ? '' : query }
}

/**
 * The base URL that was probably meant by what was pasted: without the path that each call adds, with the version part where none is, in
 * Azure's form. Null where the text is not an address or is right as it is.
 */
export function meantBaseUrl(text: string, protocol: string): string | null {
  const given = parts(text.trim())
  if (given === null || protocol === 'agent_to_agent') return null
  const { origin, path, query } = given
  const meant = origin + (azureHost.test(origin) ? azureAddress(path, query) : `${basePath(path, protocol)}${query}`)
  return meant === text.trim() ? null : meant
}

function basePath(path: string, protocol: string): string {
  if (protocol === 'ollama') return path.replace(ollamaPath, '')
  const base = path.replace(protocol === 'gemini' ? geminiPath : endpointPath, '')
  return base === '' ? (protocol === 'gemini' ? '/v1beta' : '/v1') : base
}

/** A deployment with the version that it is called with, or the address without either that serves every deployment. */
function azureAddress(path: string, query: string): string {
  const base = path.replace(endpointPath, '')
  if (deployment.test(base))
    return /[?&]api-version=/.test(query) ? `${base}${query}` : `${base}${query === '' ? '?' : `${query}&`}${azureVersion}`
  // The version in the query belongs to the classic paths.
  return /\/v\d+$/.test(base) ? `${base}${query}` : '/openai/v1'
}

/** Other base URLs of the same origin to try, likeliest first, when nothing answers at one. */
export function otherBaseUrls(text: string, protocol: string, knownOfOrigin: readonly string[]): string[] {
  const given = parts(text)
  if (given === null || protocol === 'agent_to_agent') return []
  const meant = meantBaseUrl(text, protocol)
  const { origin, path, query } = (meant === null ? null : parts(meant)) ?? given
  const paths = protocol === 'ollama' ? [''] : [`${path}/v1`, '/v1', '/openai/v1', '/api/v1']
  const found = [...(meant === null ? [] : [meant]), ...knownOfOrigin, ...paths.map(one => `${origin}${one}${query}`)]
  const bare = (address: string) => trimEndOf(address, /\//)
  return [...new Set(found)].filter(one => bare(one) !== bare(text))
}
