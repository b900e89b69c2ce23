import { z } from 'zod'
import { ServiceError } from '../../../contract/client.ts'
import type { Connection } from '../../../contract/connections/connections.schemas.ts'
import { defineTool, type ToolContext } from '../tool.ts'
import { notice, untrustedRow } from '../untrusted.ts'

export const listModels = defineTool({
  name: 'list_models',
  title: 'List models',
  description: 'Model routes and connections. `model` is what create_quote takes. Baselines (is_model=false) are references, not models.',
  effect: 'read',
  calls: ['listModels'],
  alsoCalls: ['listConnections'],
  input: z.strictObject({ query: z.string().max(200).default('').describe('Part of an id, title or provider.') }),
  page: () => '/models',
  run: async ({ query }, context) => {
    const [{ items: routes, next_cursor: more }, connections] = await Promise.all([
      context.call('listModels', { query: { q: query || undefined, limit: 100 } }),
      ownConnections(context),
    ])
    const words = query.toLowerCase()
    return {
      untrusted_data_notice: notice,
      routes: routes.map(route => ({
        model: route.route_id,
        is_model: route.is_model,
        ready: route.availability.status === 'ready',
        ...(Number(route.rates.input_microusd_per_million) + Number(route.rates.output_microusd_per_million) > 0
          ? { rates: route.rates }
          : { free: true }),
        ...untrustedRow({ title: route.title }),
      })),
      connections: connections
        ?.filter(({ name, model }) => `${name} ${model}`.toLowerCase().includes(words))
        .map(({ id, name, model, status, rates }) => ({
          model: id,
          status,
          rates,
          ...untrustedRow({ title: name, provider_model: model }),
        })),
      ...(connections === null ? { note: 'Connections are left out: the key lacks the scope connections:read.' } : {}),
      more_on_page: more !== null || connections?.length === 100,
      page: context.pageUrl('/models'),
    }
  },
})

async function ownConnections({ call }: ToolContext<'listConnections'>): Promise<Connection[] | null> {
  try {
    return (await call('listConnections', { query: { limit: 100 } })).items
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'missing_scope') return null
    throw error
  }
}
