import type { ModelClient } from './model-client.ts'

/** For a model that rejects `temperature`: the setting is omitted and each call reports that. */
export function withoutTemperature(client: ModelClient, model: string): ModelClient {
  return {
    ...(client.reach ? { reach: client.reach.bind(client) } : {}),
    ...(client.loglikelihood ? { loglikelihood: client.loglikelihood.bind(client) } : {}),
    call: async (request, options) => {
      const outcome = await client.call({ ...request, temperature: null }, options)
      if (request.temperature === null) return outcome
      const message = `${model} takes no temperature: ${request.temperature} was not sent, and the provider’s own holds.`
      return { ...outcome, notes: [{ code: 'parameter_dropped', message }, ...(outcome.notes ?? [])] }
    },
    probe: options => client.probe(options),
    close: () => client.close(),
  }
}
