import { useQueries } from '@tanstack/react-query'
import { call } from '../api/client.ts'

/** What attacks did to each of the runs. */
export function useAttackMatrices(runIds: readonly string[]) {
  const queries = useQueries({
    queries: runIds.map(id => ({
      queryKey: ['runs', 'attacks', id],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => call('getAttackMatrix', { params: { run_id: id } }, { signal }),
    })),
  })
  const failed = queries.filter(({ error }) => error !== null)
  return {
    data: queries.flatMap(({ data }) => data ?? []),
    error: failed[0]?.error ?? null,
    isPending: queries.some(({ isPending }) => isPending),
    retry: () => {
      for (const query of failed) void query.refetch()
    },
  }
}
