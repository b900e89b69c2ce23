import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { type IdempotencyKey, useIdempotencyKey } from './idempotency.ts'

/** A change, pending until the queries below the keys are read again. */
export function useChange<Output, Input = void>(change: (input: Input) => Promise<Output>, ...keys: readonly QueryKey[]) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => Promise.all(keys.map(queryKey => client.invalidateQueries({ queryKey }))),
  })
}

/** A change that answers what the query of the key holds from then on. */
export function useReplacement<Output, Input = void>(queryKey: QueryKey, change: (input: Input) => Promise<Output>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: change, onSuccess: answer => client.setQueryData(queryKey, answer) })
}

/**
 * Makes something once per content; then the queries below the keys are read again in the background.
 *
 * @param form Name of the form, unique in the app.
 */
export function useCreation<Output, Input = void>(
  form: string,
  create: (input: Input, headers: ReturnType<IdempotencyKey['headersFor']>) => Promise<Output>,
  ...keys: readonly QueryKey[]
) {
  const client = useQueryClient()
  const key = useIdempotencyKey(form)
  return useMutation({
    mutationFn: (input: Input) => create(input, key.headersFor(input)),
    onSuccess: () => {
      key.done()
      for (const queryKey of keys) void client.invalidateQueries({ queryKey })
    },
  })
}
