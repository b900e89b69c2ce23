import { QueryClient, QueryClientProvider, QueryObserver, type UseMutationResult } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { everything, useChange, useCreation, useOnce, useQuickChange } from '../../../../src/renderer/api/changes.ts'

type Change = Pick<UseMutationResult<string, Error, string>, 'mutateAsync'>

/** A change, and the list that it is about, whose next answer waits until `answer` is called. */
function changing(useIt: () => Change) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const { promise, resolve: answer } = Promise.withResolvers<string>()
  const read: string[] = []
  for (const name of ['runs', 'suites']) {
    const queryFn = () => {
      read.push(name)
      return promise
    }
    new QueryObserver(client, { queryKey: [name], queryFn, initialData: 'before', staleTime: Infinity }).subscribe(() => {})
  }
  const changes: Change[] = []
  function Page() {
    changes.push(useIt())
    return null
  }
  renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Page />
    </QueryClientProvider>,
  )
  const [change] = changes
  if (!change) throw new Error('not rendered')
  let ended = false
  const done = change.mutateAsync('sent').then(() => (ended = true))
  return { read, answer, done, ended: () => ended }
}

const keep = async (sent: string): Promise<string> => sent

test.each([
  ['a change', () => useChange(keep, ['runs'])],
  ['what a form makes once', () => useChange(useOnce('test', keep), ['runs'])],
])('%s waits until what it changed was read again', async (_, useIt) => {
  const { read, answer, done, ended } = changing(useIt)
  await expect.poll(() => read).toEqual(['runs'])
  expect(ended()).toBe(false)
  answer('after')
  await done
})

test.each([
  ['a quick change', () => useQuickChange(keep, ['runs'])],
  ['a creation', () => useCreation('test', keep, ['runs'])],
])('%s ends with its answer, though its list is never read', async (_, useIt) => {
  const { read, done } = changing(useIt)
  await done
  expect(read).toEqual(['runs'])
})

test('everything is every query', async () => {
  const { read, answer, done } = changing(() => useChange(keep, everything))
  await expect.poll(() => read).toEqual(['runs', 'suites'])
  answer('after')
  await done
})

test('what was made is sent with one key until it was answered', async () => {
  const sent: unknown[] = []
  let works = false
  const useIt = () =>
    useCreation('test-once', async (input: string, headers) => {
      sent.push(headers['idempotency-key'])
      if (!works) throw new Error('lost')
      return input
    })
  await expect(changing(useIt).done).rejects.toThrow('lost')
  works = true
  await changing(useIt).done
  await changing(useIt).done
  expect(sent[1]).toBe(sent[0])
  expect(sent[2]).not.toBe(sent[1])
})
