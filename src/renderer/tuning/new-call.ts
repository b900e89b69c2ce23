import type { ModelRoute } from '../../contract/catalog/models.schemas.ts'
import type { Connection } from '../../contract/connections/connections.schemas.ts'
import { TuneCall } from '../../contract/tuning/draft.schemas.ts'
import { definedOf } from '../../lib/defined-of.ts'
import type { SnippetCall } from './read-snippet.ts'
import { valueOf } from '../quotes/model-value.ts'

export const defaultTemplate = '{input}'

/** The ready model that goes by this name at its provider, as a value of the model field. */
export function choiceByName(name: string, connections: readonly Connection[], routes: readonly ModelRoute[]): string | null {
  const connection = connections.find(one => one.model === name && one.status === 'ready')
  if (connection) return valueOf({ kind: 'connection', connection_id: connection.id })
  const route = routes.find(one => (one.model === name || one.route_id === name) && one.availability.status === 'ready')
  return route ? valueOf({ kind: 'managed', route_id: route.route_id }) : null
}

interface CallFields {
  readonly template: string
  readonly systemPrompt: string | null
  readonly settings?: Pick<SnippetCall, 'effort' | 'temperature' | 'topP' | 'seed' | 'maxOutputTokens' | 'stop'>
}

export function callOf(model: TuneCall['model'], source: TuneCall['source'], { template, systemPrompt, settings }: CallFields): TuneCall {
  return TuneCall.parse({
    source,
    model,
    prompt_template: template,
    system_prompt: systemPrompt,
    effort: settings?.effort ?? null,
    parameters: {
      temperature: settings?.temperature ?? null,
      ...definedOf({ top_p: settings?.topP ?? undefined, seed: settings?.seed ?? undefined }),
      stop: settings?.stop ?? [],
      ...(settings?.maxOutputTokens ? { max_output_tokens: settings.maxOutputTokens } : {}),
    },
  })
}
