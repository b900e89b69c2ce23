import type { ModelRoute } from '../../contract/catalog/models.schemas.ts'
import { baselineRoutes, findBaseline } from '../../engine/execution/baselines/baseline-routes.ts'
import { decodeCursor, type Listing, type PageQuery, toPage } from '../../storage/keyset.ts'

/** Routes of a workspace beside the baselines. */
export type OwnRoutes = (workspaceId: string) => readonly ModelRoute[]

export function findRoute(own: readonly ModelRoute[], routeId: string): ModelRoute | null {
  return findBaseline(routeId) ?? own.find(route => route.route_id === routeId) ?? null
}

export interface RoutesQuery extends PageQuery {
  readonly q?: string | undefined
  readonly provider?: string | undefined
  readonly capability?: string | undefined
}

/**
 * @param own those beside the baselines
 * @param needs capabilities of which a route must have one whole set; null when it does not matter
 */
export function listRoutes(
  own: readonly ModelRoute[],
  query: RoutesQuery,
  needs: readonly (readonly string[])[] | null,
  benchmark: string | undefined,
) {
  const { cursor, limit, q, provider, capability } = query
  const listing: Listing = { endpoint: 'listModels', filters: { q, provider, capability, benchmark } }
  const after = cursor === undefined ? '' : String(decodeCursor(listing, cursor, 1)[0])
  const text = q?.toLowerCase() ?? ''
  const matching = [...baselineRoutes(), ...own]
    .filter(route => `${route.route_id} ${route.title} ${route.summary}`.toLowerCase().includes(text))
    .filter(route => provider === undefined || route.provider === provider)
    .filter(route => capability === undefined || route.capabilities.includes(capability))
    .filter(route => needs === null || needs.some(set => set.every(need => route.capabilities.includes(need))))
    .sort((a, b) => (a.route_id < b.route_id ? -1 : 1))
    .filter(route => route.route_id > after)
  return toPage(
    matching.slice(0, limit + 1),
    limit,
    listing,
    route => [route.route_id],
    route => route,
  )
}
