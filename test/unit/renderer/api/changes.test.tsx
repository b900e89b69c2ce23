import { QueryClient, QueryClientProvider, type QueryKey, QueryObserver, type UseMutationResult } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { everything, useChange, useCreation, useOnce, useQuickChange } from '../../../../src/renderer/api/changes.ts'
import { useCreatePurchase } from '../../../../src/renderer/billing/wallet.queries.ts'
import { useSetRole } from '../../../../src/renderer/workspace/members.queries.ts'

afterEach(() => vi.unstubAllGlobals())

type Change<Input> = Pick<UseMutationResult<unknown, Error, Input>, 'mutateAsync'>

/** A change, and the list that it is about, whose next answer waits until `answer` is called. */
function changing<Input>(useIt: () => Change<Input>, input: Input, keys: readonly QueryKey[] = [['runs'], ['suites']]) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const { promise, resolve: answer } = Promise.withResolvers<string>()
  const read: unknown[] = []
  for (const queryKey of keys) {
    const queryFn = () => {
      read.push(queryKey[0])
      return promise
    }
    new QueryObserver(client, { queryKey, queryFn, initialData: 'before', staleTime: Infinity }).subscribe(() => {})
  }
  const changes: Change<Input>[] = []
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
  const done = change.mutateAsync(input).then(() => (ended = true))
  return { read, answer, done, ended: () => ended }
}

const keep = async (sent: string): Promise<string> => sent

test.each([
  ['a change', () => useChange(keep, ['runs'])],
  ['what a form makes once', () => useChange(useOnce('test', keep), ['runs'])],
])('%s waits until what it changed was read again', async (_, useIt) => {
  const { read, answer, done, ended } = changing(useIt, 'sent')
  await expect.poll(() => read).toEqual(['runs'])
  expect(ended()).toBe(false)
  answer('after')
  await done
})

test.each([
  ['a quick change', () => useQuickChange(keep, ['runs'])],
  ['a creation', () => useCreation('test', keep, ['runs'])],
])('%s ends with its answer, though its list is never read', async (_, useIt) => {
  const { read, done } = changing(useIt, 'sent')
  await done
  expect(read).toEqual(['runs'])
})

test('everything is every query', async () => {
  const { read, answer, done } = changing(() => useChange(keep, everything), 'sent')
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
  await expect(changing(useIt, 'sent').done).rejects.toThrow('lost')
  works = true
  await changing(useIt, 'sent').done
  await changing(useIt, 'sent').done
  expect(sent[1]).toBe(sent[0])
  expect(sent[2]).not.toBe(sent[1])
})

const id = '01900000-0000-7000-8000-0000000000a1'
const at = '2026-11-30T10:00:00.000Z'

test('a purchase is pending until the list has it', async () => {
  const purchase = {
    id,
    status: 'open',
    amount_microusd: '1000000',
    returned_microusd: '0',
    note: '',
    created_at: at,
    expires_at: at,
    paid_at: null,
    closed_at: null,
    receipt_number: null,
  }
  vi.stubGlobal('fetch', async () => Response.json(purchase, { status: 201 }))
  const { read, answer, done, ended } = changing(() => useCreatePurchase(), { amount_microusd: '1000000', note: '' }, [['wallet']])
  await expect.poll(() => read).toEqual(['wallet'])
  expect(ended()).toBe(false)
  answer('after')
  await done
})

test('a role is set before the members are read again', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ id, name: 'Ada', role: 'admin', status: 'active', created_at: at }))
  const { read, done } = changing(() => useSetRole(), { id, role: 'admin' as const }, [['workspace', 'members']])
  await done
  expect(read).toEqual(['workspace'])
})
