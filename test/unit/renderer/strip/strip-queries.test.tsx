// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, configure, renderHook, waitFor } from '@testing-library/react'
import { createElement, type ReactNode } from 'react'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { patience } from '../../../support/machine-speed.ts'
import { progressFixture, runFixture } from '../runs/fixtures.ts'

configure({ asyncUtilTimeout: 10_000 * patience() })

const call = vi.fn<(operation: string) => Promise<{ codes: string }>>()
vi.mock('../../../../src/renderer/api/client.ts', () => ({ call }))
// Files share their modules: another may have loaded these, and another comes after.
vi.resetModules()
afterAll(() => void vi.resetModules())
const { useOutcomes } = await import('../../../../src/renderer/strip/strip.queries.ts')

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
const wrapper = ({ children }: { readonly children: ReactNode }) => createElement(QueryClientProvider, { client }, children)
const runAt = (scored: number) =>
  runFixture({
    status: 'running',
    result_version: null,
    finished_at: null,
    progress: progressFixture({ frozen: 4, scored, completed: scored }),
  })

beforeEach(() => call.mockReset())
afterEach(() => {
  cleanup()
  client.clear()
})

test('reads the strip again as soon as the run’s counts change, and not while they stay', async () => {
  call.mockResolvedValueOnce({ codes: 'c...' }).mockResolvedValueOnce({ codes: 'cw..' })
  const { result, rerender } = renderHook(({ scored }) => useOutcomes(runAt(scored)), { wrapper, initialProps: { scored: 1 } })
  await waitFor(() => expect(result.current).toBe('c...'))
  rerender({ scored: 1 })
  expect(call).toHaveBeenCalledTimes(1)
  rerender({ scored: 2 })
  await waitFor(() => expect(result.current).toBe('cw..'))
  expect(call).toHaveBeenCalledTimes(2)
})

test('reads once more when the counts change while it reads, so that the last ones are shown', async () => {
  const first = Promise.withResolvers<{ codes: string }>()
  call.mockReturnValueOnce(first.promise).mockResolvedValueOnce({ codes: 'cwc.' })
  const { result, rerender } = renderHook(({ scored }) => useOutcomes(runAt(scored)), { wrapper, initialProps: { scored: 1 } })
  rerender({ scored: 3 })
  first.resolve({ codes: 'c...' })
  await waitFor(() => expect(result.current).toBe('cwc.'))
  expect(call).toHaveBeenCalledTimes(2)
})
