import { useConnections } from '../connections/models.queries.ts'

/** Names of the workspace's connections by id, as far as they are read. */
export function useConnectionNames(): ReadonlyMap<string, string> {
  const { data = [] } = useConnections()
  return new Map(data.map(({ id, name }) => [id, name]))
}
