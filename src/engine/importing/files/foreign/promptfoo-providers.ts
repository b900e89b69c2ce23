import { z } from 'zod'

const Settings = z.looseObject({
  temperature: z.number().nullish().catch(null),
  max_tokens: z.int().min(1).nullish().catch(null),
  instructions: z.string().nullish().catch(null),
  systemPrompt: z.string().nullish().catch(null),
})
type Settings = z.infer<typeof Settings>

/** The names of one setting at several providers. */
const alike: Readonly<Record<string, string>> = {
  max_completion_tokens: 'max_tokens',
  max_output_tokens: 'max_tokens',
  max_new_tokens: 'max_tokens',
  maxOutputTokens: 'max_tokens',
  maxTokens: 'max_tokens',
  systemInstruction: 'instructions',
}

const Provider = z.looseObject({
  id: z.string(),
  config: z.record(z.string(), z.unknown()).nullish(),
  prompts: z.array(z.unknown()).nullish(),
  transform: z.unknown().optional(),
})
type Provider = z.infer<typeof Provider>

/** How the providers of a configuration are asked, which becomes part of each profile. */
export interface ProviderSettings {
  readonly systemPrompt: string | null
  readonly temperature: number | null
  readonly maxOutputTokens: number | null
  /** What is not imported of them, and why. */
  readonly left: readonly string[]
}

/** By the name that a setting has here; of two for one thing, the one that has a value. */
function settingsOf(config: NonNullable<Provider['config']>): Settings {
  const given = Object.entries(config).filter(([, value]) => value != null)
  return Settings.parse(Object.fromEntries(given.map(([name, value]) => [alike[name] ?? name, value])))
}

/** Settings that say where a model is and what it costs, which a run chooses. */
const whereabouts =
  /^(?:api|base_?url|host|organization|region|deployment|headers|timeout|(?:input|output)?cost|env|project|stream|max_?retries)/i

/** What providers say of how they are asked: used where all say the same, and named where it is not. */
export function readProviders(given: unknown): ProviderSettings {
  const providers = [given ?? []].flat().map(providerOf)
  const agreed = <Value>(read: (config: Settings) => Value | null | undefined): Value | null => {
    const [first = null, ...others] = new Set(providers.map(({ config }) => (config ? (read(settingsOf(config)) ?? null) : null)))
    return others.length > 0 ? null : first
  }
  const instructions = agreed(config => config.instructions)
  const systemPrompt = agreed(config => config.systemPrompt)
  const temperature = agreed(config => config.temperature)
  const maxOutputTokens = agreed(config => config.max_tokens)
  const isUsed: Readonly<Record<string, boolean>> = {
    instructions: instructions !== null,
    systemPrompt: instructions === null && systemPrompt !== null,
    temperature: temperature !== null,
    max_tokens: maxOutputTokens !== null,
  }
  return {
    systemPrompt: instructions ?? systemPrompt,
    temperature,
    maxOutputTokens,
    left: providers.flatMap(({ id, config, prompts, transform }) => {
      const unused = Object.entries(config ?? {}).flatMap(([name, value]) =>
        value == null || whereabouts.test(name) || isUsed[alike[name] ?? name] === true ? [] : [name],
      )
      const parts = [...unused, ...(prompts == null ? [] : ['prompts']), ...(transform == null ? [] : ['transform'])]
      return parts.length === 0
        ? []
        : [
            `The provider "${id.slice(0, 60)}" sets ${parts.join(', ').slice(0, 200)}, which is not imported: runs ask every model by every prompt alike.`,
          ]
    }),
  }
}

/** A provider by its id, as an object, or as an object by its id. */
function providerOf(given: unknown): Provider {
  const provider = Provider.safeParse(given)
  if (provider.success) return provider.data
  const [[id, rest] = ['', null]] = Object.entries(z.record(z.string(), z.unknown()).safeParse(given).data ?? {})
  const named = Provider.safeParse({ ...(typeof rest === 'object' && rest), id })
  return named.data ?? { id: typeof given === 'string' ? given : 'unknown provider' }
}
