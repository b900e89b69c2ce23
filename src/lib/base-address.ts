import { trimEndOf } from './trim-end.ts'

/** What clients add to a base URL, and what else a server shows, which people paste with it. */
const endpointPath =
  /\/(?:chat\/completions|chat|completions?|responses|messages|embeddings|models|generate(?:_stream)?|docs|redoc|health|metrics|props)$/i
/** Ollama's own paths, which have another protocol beside them. */
const ownPath = /\/api\/(?:chat|generate|tags|show|ps|version)$/i
/** A version that was added to an address that had it. */
const twiceVersion = /(\/v\d+(?:beta)?)\1$/i
/** Where vendors serve Anthropic's protocol beside their own. */
const anthropicPath = /\/anthropic$/i
const geminiPath = /\/models(?:\/[^/]+)?$/i
const ollamaPath = /(?:\/v1)?(?:\/api(?:\/(?:chat|generate|tags|show|ps|version))?|\/chat\/completions|\/models)?$/
const azureHost = /\.(?:openai|cognitiveservices|services\.ai)\.azure\.(?:com|us|cn)(?::\d+)?$/i
const deployment = /^\/openai\/deployments\/[^/]+$/
const bedrockHost = /^https:\/\/bedrock-runtime\.[\w-]+\.amazonaws\.com$/i
/** The newest general version of Azure's classic API. */
const azureVersion = 'api-version=2024-10-21'

/** Of a host with its port or a dot: this machine and addresses speak plain HTTP. */
function withScheme(text: string): string {
  if (!/^(?:[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:\d)|\[[\da-f:.]+\])(?::\d+)?(?:\/|$)/i.test(text)) return text
  const isNear = /^(?:localhost|[\d.]+|\[[\da-f:.]+\]|[\w.-]+\.(?:local|lan|internal|home))(?:[:/]|$)|^[\w-]+:/i.test(text)
  return isNear ? `http://${text}` : `https://${text}`
}

/** The address within what people copy with it: quotation marks, a command, the name of a variable, the end of a sentence. */
function addressIn(text: string): string {
  const [found = text] = /https?:\/\/[^\s"'`<>]+/i.exec(text) ?? []
  return trimEndOf(found.trim().replace(/^["'`<]+/, ''), /["'`<>.,;]/)
}

interface Parts {
  readonly origin: string
  readonly path: string
  readonly query: string
}

/** What a base URL consists of; the text is not decoded, so that what is shown is what was typed. */
function parts(text: string): Parts | null {
  const [, named, path = '', query = ''] = /^(https?:\/\/[^/?#\s]+)((?:\/[^?#\s]*)?)(\?[^#\s]*)?(?:#\S*)?$/i.exec(withScheme(text)) ?? []
  if (named === undefined) return null
  // The address that a server listens on is not one to call.
  const origin = named.replace(/^(http:\/\/)0\.0\.0\.0(?=:|$)/i, '$1127.0.0.1')
  return { origin, path: trimEndOf(path.replaceAll(/\/{2,}/g, '/'), /\//), query: query === '?' ? '' : query }
}

/**
 * The base URL that was probably meant by what was pasted: without the path that each call adds, with the version part where none is, in
 * Azure's form. Null where the text is not an address or is right as it is.
 * @param known base URLs of providers that speak the protocol
 */
export function meantBaseUrl(text: string, protocol: string, known: readonly string[] = []): string | null {
  const given = parts(addressIn(text))
  if (given === null || protocol === 'agent_to_agent') return null
  const { origin, path, query } = given
  const isAzure = azureHost.test(origin) || deployment.test(path.replace(endpointPath, ''))
  const meant = isAzure ? origin + azureAddress(path, query) : (providerAddress(given, protocol, known) ?? ownAddress(given, protocol))
  return meant === text.trim() ? null : meant
}

/** Gemini's pages show the key in the query, which is not a place for one. */
function ownAddress({ origin, path, query }: Parts, protocol: string): string {
  return `${origin}${basePath(path, protocol)}${protocol === 'gemini' ? '' : query}`
}

function basePath(path: string, protocol: string): string {
  if (protocol === 'ollama') return path.replace(ollamaPath, '')
  const own = ownPath.test(path) ? path.replace(ownPath, '') : path.replace(protocol === 'gemini' ? geminiPath : endpointPath, '')
  const base = own.replace(twiceVersion, '$1')
  if (base === '') return protocol === 'gemini' ? '/v1beta' : '/v1'
  return protocol === 'anthropic_messages' && anthropicPath.test(base) ? `${base}/v1` : base
}

/** Where providers have their endpoints below another path, that of the first known address that begins as the pasted one does. */
function providerAddress({ origin, path }: Parts, protocol: string, known: readonly string[]): string | null {
  if (protocol !== 'openai_chat' && protocol !== 'openai_responses') return null
  if (bedrockHost.test(origin) && path === '') return `${origin}/openai/v1`
  const base = path.replace(endpointPath, '')
  return [...known, ...providerUrls].find(url => url !== origin + base && url.startsWith(`${origin}${base}/`)) ?? null
}

/** Of those whose endpoints are not below `/v1`. */
const providerUrls = [
  'https://openrouter.ai/api/v1',
  'https://api.groq.com/openai/v1',
  'https://api.fireworks.ai/inference/v1',
  'https://generativelanguage.googleapis.com/v1beta/openai',
  'https://dashscope.aliyuncs.com/compatible-mode/v1',
  'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  'https://api.z.ai/api/paas/v4',
  'https://open.bigmodel.cn/api/paas/v4',
  'https://api.cohere.ai/compatibility/v1',
  'https://models.github.ai/inference',
]

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
  const meant = meantBaseUrl(text, protocol, knownOfOrigin)
  const { origin, path, query } = (meant === null ? null : parts(meant)) ?? given
  const paths = protocol === 'ollama' ? [''] : [`${path}/v1`, '/v1', '/openai/v1', '/api/v1', '/inference/v1', '/compatible-mode/v1']
  const found = [...(meant === null ? [] : [meant]), ...knownOfOrigin, ...paths.map(one => `${origin}${one}${query}`)]
  const bare = (address: string) => trimEndOf(address, /\//)
  return [...new Set(found)].filter(one => bare(one) !== bare(text))
}
