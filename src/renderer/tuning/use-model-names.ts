import { useConnections, useModelRoutes } from '../connections/models.queries.ts'

/** Names of the workspace's connections and of routes by id, as far as they are read. */
export function useModelNames(): ReadonlyMap<string, string> {
  const { data: connections = [] } = useConnections()
  const { data: routes = [] } = useModelRoutes()
  return new Map([
    ...connections.map(({ id, name }) => [id, name] as const),
    ...routes.map(route => [route.route_id, route.title] as const),
  ])
}
