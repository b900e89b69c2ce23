import { type InferDataFromTag, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { type IdempotencyKey, useIdempotencyKey } from './idempotency.ts'

/** The key that every query is below. */
export const everything: QueryKey = []

/** A change, pending until the queries below the keys are read again: its button cannot be pressed twice on what has changed. */
export function useChange<Output, Input = void>(change: (input: Input) => Promise<Output>, ...keys: readonly QueryKey[]) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => Promise.all(keys.map(queryKey => client.invalidateQueries({ queryKey }))),
  })
}

/** A change that is done with its answer: the queries below the keys are read again in the background. */
export function useQuickChange<Output, Input = void>(change: (input: Input) => Promise<Output>, ...keys: readonly QueryKey[]) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      for (const queryKey of keys) void client.invalidateQueries({ queryKey })
    },
  })
}

/** A change that answers what the query of the key holds from then on. */
export function useReplacement<Key extends QueryKey, Output extends InferDataFromTag<unknown, Key>, Input = void>(
  queryKey: Key,
  change: (input: Input) => Promise<Output>,
) {
  const client = useQueryClient()
  return useMutation({ mutationFn: change, onSuccess: answer => client.setQueryData<unknown>(queryKey, answer) })
}

type Create<Output, Input> = (input: Input, headers: ReturnType<IdempotencyKey['headersFor']>) => Promise<Output>

/**
 * Lets a form make something once per input, which must determine what is sent.
 *
 * @param form Name of the form, unique in the app.
 */
export function useOnce<Output, Input = void>(form: string, create: Create<Output, Input>) {
  const key = useIdempotencyKey(form)
  return async (input: Input): Promise<Output> => {
    const made = await create(input, key.headersFor(input))
    key.done()
    return made
  }
}

/** Makes something once per input, as `useOnce` does, and is done with the answer, as `useQuickChange` is. */
export const useCreation = <Output, Input = void>(form: string, create: Create<Output, Input>, ...keys: readonly QueryKey[]) =>
  useQuickChange(useOnce(form, create), ...keys)
