import type { QuoteRequest } from '../../src/contract/quotes/quotes.schemas.ts'
import { type ModelServer, type ModelServerOptions, startModelServer } from '../journeys/model-server/server.ts'
import { profileId, quote, type RequestedQuote } from './runs.ts'
import type { TestService } from './service.ts'

export interface PricedRoute {
  readonly models: ModelServer
  readonly routeId: string
}

/** In and out alike: a token costs a micro-USD. */
export const oneEach = { input_microusd_per_million: '1000000', output_microusd_per_million: '1000000' } as const

/** A model server of this machine, found as a user finds one, whose route an owner has cost what is stated. Close the server at the end. */
export async function pricedRoute(
  service: TestService,
  rates: { readonly input_microusd_per_million: string; readonly output_microusd_per_million: string } = oneEach,
  options: ModelServerOptions = { answers: () => '#### 13' },
): Promise<PricedRoute> {
  const models = await startModelServer(options)
  const { host, port } = new URL(models.baseUrl)
  await service.client.call('discoverRuntimes', { query: { port: Number(port) } })
  const routeId = `local/${host}/replay`
  await service.client.call('setLocalRouteRates', { body: { route_id: routeId, rates } })
  return { models, routeId }
}

export interface PricedOptions {
  readonly samples?: number
  /** Micro-USD; without it, the quote's own upper bound. */
  readonly cap?: string
  readonly execution?: Partial<QuoteRequest['execution']>
}

/** A quote for a run on a priced route, capped at its upper bound unless told otherwise. */
export async function pricedQuote(service: TestService, routeId: string, { samples = 5, cap, execution = {} }: PricedOptions = {}) {
  const wish: RequestedQuote = {
    model: { kind: 'managed', route_id: routeId },
    profiles: [await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: samples, seed: 1 },
    execution,
  }
  const { upper_bound_microusd } = (await quote(service.client, wish)).cost
  return quote(service.client, { ...wish, maxCharge: cap ?? upper_bound_microusd })
}

/** Puts so much into the wallet. */
export async function allot(service: TestService, amount: string, note = ''): Promise<string> {
  const { id } = await service.client.call('createPurchase', { body: { amount_microusd: amount, note } })
  await service.client.call('confirmPurchase', { params: { purchase_id: id } })
  return id
}
