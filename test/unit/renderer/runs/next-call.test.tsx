// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { NextCall, nextCall } from '../../../../src/renderer/runs/next-call.tsx'
import { activityFixture } from './fixtures.ts'

const endpoint = (pause_ms: number) => activityFixture({ pause_ms }).endpoint

describe('when the endpoint may be called next', () => {
  it('says who asked to wait', () => {
    expect(nextCall(0, 0)).toBe('at once')
    expect(nextCall(4_100, 9_000)).toBe('in 5 s, as the endpoint asked')
    expect(nextCall(0, 90_000)).toBe('in 1 min 30 s, by its rate limits')
  })
})

describe('the countdown of a pause', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
  })

  it('goes on by itself between what the service tells, and begins anew with what it tells', () => {
    const { rerender } = render(<NextCall endpoint={endpoint(10_000)} />)
    expect(screen.getByText('in 10 s, as the endpoint asked')).toBeDefined()
    act(() => void vi.advanceTimersByTime(3_000))
    expect(screen.getByText('in 7 s, as the endpoint asked')).toBeDefined()
    rerender(<NextCall endpoint={endpoint(2_000)} />)
    expect(screen.getByText('in 2 s, as the endpoint asked')).toBeDefined()
    act(() => void vi.advanceTimersByTime(5_000))
    expect(screen.getByText('at once')).toBeDefined()
  })
})
