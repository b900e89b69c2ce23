import { beforeEach, describe, expect, test, vi } from 'vitest'
import { drainBeforeQuit, type Quitting } from '../../../src/main/drain-before-quit.ts'
import { app, recorded, resetElectron, strict } from './fake-electron.ts'

beforeEach(() => {
  resetElectron('profile')
  vi.spyOn(console, 'error').mockReturnValue()
})

const begin = vi.fn<() => void>()
const quit = vi.fn<() => void>()
const relaunch = vi.fn<(args: readonly string[]) => void>()

function drainWith(close: () => Promise<void>, deadline = 60_000, mayQuit = async () => true): Quitting {
  for (const mock of [begin, quit, relaunch]) mock.mockClear()
  app.on('quit', quit)
  // The stand-in emits and quits, which is all that is used of the app.
  return drainBeforeQuit(strict(app) as unknown as Parameters<typeof drainBeforeQuit>[0], { mayQuit, begin, close, relaunch, deadline })
}

describe('quitting', () => {
  test('hides the window and waits for the service', async () => {
    const closed = Promise.withResolvers<void>()
    drainWith(() => closed.promise)
    app.quit()
    await expect.poll(() => begin).toHaveBeenCalledTimes(1)
    expect(quit).not.toHaveBeenCalled()
    closed.resolve()
    await expect.poll(() => quit).toHaveBeenCalledTimes(1)
    expect(recorded.exits).toEqual([])
  })

  test('closes the service once, however often the user asks', async () => {
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

  test('gives up after the deadline', async () => {
    vi.useFakeTimers()
    drainWith(() => new Promise(() => undefined), 10_000)
    app.quit()
    await vi.advanceTimersByTimeAsync(0)
    vi.advanceTimersByTime(9_999)
    expect(recorded.exits).toEqual([])
    vi.advanceTimersByTime(1)
    expect(recorded.exits).toEqual([1])
    vi.useRealTimers()
  })

  test('quits with a failure when the service fails to close', async () => {
    drainWith(() => Promise.reject(new Error('disk I/O error')))
    app.quit()
    await expect.poll(() => recorded.exits).toEqual([1])
  })

  test('starts again where it was opened while it was draining', async () => {
    const closed = Promise.withResolvers<void>()
    const quitting = drainWith(() => closed.promise)
    expect(quitting.isDraining()).toBe(false)
    app.quit()
    await expect.poll(() => quitting.isDraining()).toBe(true)
    quitting.openAgain(['assay://runs/1'])
    expect(relaunch).not.toHaveBeenCalled()
    closed.resolve()
    await expect.poll(() => quit).toHaveBeenCalledTimes(1)
    expect(relaunch.mock.calls).toEqual([[['assay://runs/1']]])
  })

  test('stays open, and asks again the next time, when the answer is no', async () => {
    const close = vi.fn(async () => undefined)
    const mayQuit = vi.fn<() => Promise<boolean>>().mockResolvedValueOnce(false).mockResolvedValue(true)
    const quitting = drainWith(close, 60_000, mayQuit)
    app.quit()
    await expect.poll(() => mayQuit).toHaveBeenCalledTimes(1)
    expect([close.mock.calls.length, quitting.isDraining(), quitting.mayClose()]).toEqual([0, false, false])
    await expect.poll(() => (app.quit(), quit.mock.calls.length)).toBe(1)
    expect(close).toHaveBeenCalledTimes(1)
  })
})

describe('the end of the system', () => {
  test('closes the service, asks nothing and exits, though quitting would be prevented', async () => {
    const mayQuit = vi.fn(async () => false)
    const close = vi.fn(async () => undefined)
    const quitting = drainWith(close, 60_000, mayQuit)
    quitting.endNow()
    // macOS also asks the app to quit, and takes a refusal for the end of the log-out.
    app.quit()
    await expect.poll(() => recorded.exits).toEqual([0])
    expect([mayQuit.mock.calls.length, close.mock.calls.length]).toEqual([0, 1])
  })

  test('waits less long than the system does', () => {
    vi.useFakeTimers()
    drainWith(() => new Promise(() => undefined)).endNow()
    vi.advanceTimersByTime(4_000)
    expect(recorded.exits).toEqual([0])
    vi.useRealTimers()
  })

  test('lets windows close once Windows has asked, until a log-out that did not come is over', () => {
    vi.useFakeTimers()
    const quitting = drainWith(async () => undefined)
    quitting.endSoon()
    expect(quitting.mayClose()).toBe(true)
    vi.advanceTimersByTime(60_000)
    expect(quitting.mayClose()).toBe(false)
    vi.useRealTimers()
  })
})
