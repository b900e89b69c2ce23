import { useConnections, useModelRoutes } from '../connections/models.queries.ts'
import { type ModelOption, modelOptions } from './model-options.ts'

export interface ModelChoice {
  /** Undefined until both listings are read. */
  readonly options: readonly ModelOption[] | undefined
  readonly error: Error | null
  readonly retry: () => void
}

/** Everything that could answer: managed routes and the workspace's connections. */
export function useModelChoice(): ModelChoice {
  const routes = useModelRoutes()
  const connections = useConnections()
  const known = routes.data !== undefined && connections.data !== undefined
  return {
    options: known ? modelOptions(routes.data, connections.data) : undefined,
    error: known ? null : (routes.error ?? connections.error),
    retry: () => {
      void routes.refetch()
      void connections.refetch()
    },
  }
}
