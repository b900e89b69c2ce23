/** Azure OpenAI, Azure AI Foundry and their classic deployments, which any gateway may serve under its own name. */
const azureHost = /\.(?:openai|cognitiveservices|services\.ai)\.azure\.(?:com|us|cn)$/
const azurePath = /\/openai\/deployments\//

export function isAzure(url: URL): boolean {
  return azureHost.test(url.hostname) || (azurePath.test(url.pathname) && url.searchParams.has('api-version'))
}

interface KeySettings {
  readonly baseUrl: string
  readonly apiKey: string | null
}

/** The protocol's headers, with the key as the host takes it: Azure takes keys in `api-key`, and only its own tokens as bearer. */
export function keyHeaders(own: Readonly<Record<string, string>>, { baseUrl, apiKey }: KeySettings): Readonly<Record<string, string>> {
  const url = URL.parse(baseUrl)
  const { authorization, ...rest } = own
  if (apiKey === null || authorization === undefined || url === null || !isAzure(url) || isToken(apiKey)) return own
  return { ...rest, 'api-key': apiKey }
}

/** A JSON Web Token, as Microsoft Entra issues them: three parts, the first a JSON object in base64. */
function isToken(key: string): boolean {
  return /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(key)
}
