// @vitest-environment jsdom
import { act, cleanup, configure, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { RunEvent } from '../../../../src/contract/runs/runs.schemas.ts'
import { useRunEvents } from '../../../../src/renderer/api/live-events.ts'
import { patience } from '../../../support/machine-speed.ts'

configure({ asyncUtilTimeout: 10_000 * patience() })

const run = '01900000-0000-7000-8000-000000000001'
const scores: RunEvent = { type: 'scores', profiles: [{ profile_id: 'p', metric: 'm', n: 10, mean: 0.5 }], at: '2026-11-20T09:30:00.000Z' }
const end: RunEvent = { type: 'end', status: 'complete', result_version: 1 }

/** A stream of server-sent events that the test writes to. */
function openStream() {
  const { readable, writable } = new TransformStream<string, string>()
  const writer = writable.getWriter()
  return {
    response: new Response(readable.pipeThrough(new TextEncoderStream()), { headers: { 'content-type': 'text/event-stream' } }),
    send: (event: RunEvent) => writer.write(`data: ${JSON.stringify(event)}\n\n`),
    close: () => writer.close(),
  }
}

describe('following a run', () => {
  const answer = vi.fn<typeof fetch>()
  beforeEach(() => vi.stubGlobal('fetch', answer))
  afterEach(() => {
    cleanup()
    answer.mockReset()
    vi.unstubAllGlobals()
  })

  test('shows what arrives, and asks no more after the end', async () => {
    const stream = openStream()
    answer.mockResolvedValueOnce(stream.response)
    const { result } = renderHook(() => useRunEvents(run))
    expect(result.current.connection).toBe('connecting')
    await act(() => stream.send(scores))
    await waitFor(() => expect(result.current).toMatchObject({ connection: 'live', scores: [scores] }))
    await act(() => stream.send(end))
    await waitFor(() => expect(result.current).toMatchObject({ connection: 'ended', end }))
    expect(answer).toHaveBeenCalledTimes(1)
    expect(answer.mock.calls[0]?.[0]).toBe(`/v1/runs/${run}/events`)
  })

  test('falls back to polling when the stream breaks, and resumes it later', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const [first, second] = [openStream(), openStream()]
    answer.mockResolvedValueOnce(first.response).mockRejectedValueOnce(new TypeError('refused')).mockResolvedValueOnce(second.response)
    const { result } = renderHook(() => useRunEvents(run))
    await act(() => first.send(scores))
    await act(() => first.close())
    await waitFor(() => expect(result.current).toMatchObject({ connection: 'polling', scores: [scores] }))
    await act(() => second.send(end))
    await waitFor(() => expect(result.current.connection).toBe('ended'))
    expect(answer).toHaveBeenCalledTimes(3)
  })

  test('follows nothing without a run', () => {
    const { result } = renderHook(() => useRunEvents(null))
    expect(result.current.connection).toBe('connecting')
    expect(answer).not.toHaveBeenCalled()
  })

  test('stops when the page is left', async () => {
    const stream = openStream()
    answer.mockResolvedValueOnce(stream.response)
    const { unmount } = renderHook(() => useRunEvents(run))
    await waitFor(() => expect(answer).toHaveBeenCalledTimes(1))
    unmount()
    expect(answer.mock.calls[0]?.[1]?.signal?.aborted).toBe(true)
  })
})
