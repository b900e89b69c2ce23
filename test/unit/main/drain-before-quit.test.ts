import { beforeEach, describe, expect, it, vi } from 'vitest'
import { drainBeforeQuit } from '../../../src/main/drain-before-quit.ts'
import { app, recorded, resetElectron } from './fake-electron.ts'

beforeEach(() => {
  resetElectron('profile')
  vi.spyOn(console, 'error').mockReturnValue()
})

const begin = vi.fn<() => void>()
const quit = vi.fn<() => void>()

function drainWith(close: () => Promise<void>, deadline = 60_000): void {
  begin.mockClear()
  quit.mockClear()
  app.on('quit', quit)
  // The stand-in emits and quits, which is all that is used of the app.
  drainBeforeQuit(app as unknown as Parameters<typeof drainBeforeQuit>[0], { begin, close, deadline })
}

describe('quitting', () => {
  it('hides the window and waits for the service', async () => {
    const closed = Promise.withResolvers<void>()
    drainWith(() => closed.promise)
    app.quit()
    expect(begin).toHaveBeenCalledTimes(1)
    expect(quit).not.toHaveBeenCalled()
    closed.resolve()
    await expect.poll(() => quit).toHaveBeenCalledTimes(1)
    expect(recorded.exits).toEqual([])
  })

  it('closes the service once, however often the user asks', async () => {
    const closed = Promise.withResolvers<void>()
    const close = vi.fn(() => closed.promise)
    drainWith(close)
    app.quit()
    app.quit()
    app.quit()
    closed.resolve()
    await expect.poll(() => quit).toHaveBeenCalledTimes(1)
    expect(close).toHaveBeenCalledTimes(1)
  })

  it('gives up after the deadline', () => {
    vi.useFakeTimers()
    drainWith(() => new Promise(() => undefined), 10_000)
    app.quit()
    vi.advanceTimersByTime(9_999)
    expect(recorded.exits).toEqual([])
    vi.advanceTimersByTime(1)
    expect(recorded.exits).toEqual([1])
    vi.useRealTimers()
  })

  it('quits with a failure when the service fails to close', async () => {
    drainWith(() => Promise.reject(new Error('disk I/O error')))
    app.quit()
    await expect.poll(() => recorded.exits).toEqual([1])
  })
})
