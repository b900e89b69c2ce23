import { expect, test } from 'vitest'
import { readServeOptions } from '../../../src/headless/config.ts'
import { attend } from '../../../src/headless/serve.ts'
import { startTestService } from '../../support/service.ts'

const never = new Promise<never>(() => undefined)

test('a service whose address cannot be shown is closed before the command ends with the reason', async () => {
  const { baseUrl, close } = await startTestService()
  const showing = async () => {
    expect((await fetch(`${baseUrl}/v1/health`)).status).toBeLessThan(500)
    throw new Error('The desktop is away.')
  }
  await expect(attend({ failed: never, close }, showing, never)).rejects.toThrow('The desktop is away.')
  await expect(fetch(`${baseUrl}/v1/health`)).rejects.toThrow('fetch failed')
})

test('a service that is stopped, or cannot start again, is closed as well', async () => {
  const failure = new Error('The backup is gone.')
  for (const [failed, stopped, found] of [
    [never, Promise.resolve(), undefined],
    [Promise.resolve(failure), never, failure],
  ] as const) {
    let closed = 0
    const close = async () => void closed++
    expect(await attend({ failed, close }, async () => undefined, stopped)).toBe(found)
    expect(closed).toBe(1)
  }
})

test('a stop waits ten seconds for calls in flight, and a start thirty for a lock, unless told otherwise', () => {
  expect(readServeOptions([])).toMatchObject({ stopGraceMs: 10_000, lockWaitMs: 30_000 })
  expect(readServeOptions(['--stop-grace', '0', '--lock-wait', '5'])).toMatchObject({ stopGraceMs: 0, lockWaitMs: 5_000 })
})
