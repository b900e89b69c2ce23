// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Countdown } from '../../../../src/renderer/runs/countdown.tsx'

describe('the countdown of a pause', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
  })

  test('counts down between updates and restarts with each update', () => {
    const { rerender } = render(<Countdown told={9_400} />)
    expect(screen.getByText('10 s')).toBeDefined()
    act(() => void vi.advanceTimersByTime(3_000))
    expect(screen.getByText('7 s')).toBeDefined()
    rerender(<Countdown told={90_000} />)
    expect(screen.getByText('1 min 30 s')).toBeDefined()
    rerender(<Countdown told={1_200} />)
    act(() => void vi.advanceTimersByTime(1_000))
    expect(screen.getByText('1 s')).toBeDefined()
    act(() => void vi.advanceTimersByTime(5_000))
    expect(screen.getByText('none')).toBeDefined()
  })
})
