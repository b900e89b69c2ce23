import { Readable } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import { createThrottle, type Principal } from '../../../src/service/auth/index.ts'
import { cutTrickle, dropRest } from '../../../src/service/http/cut-trickle.ts'

afterEach(() => vi.useRealTimers())

const key = (id: string): Principal => ({
  kind: 'api_key',
  id,
  name: id,
  scopes: [],
  isLocal: false,
  expiresAt: null,
  lastUsedAt: null,
  workspaces: [],
})

function throttleAt(start: number) {
  const clock = { ms: start }
  return { clock, throttle: createThrottle(() => clock.ms, { burst: 3, perSecond: 2 }) }
}

const refused = expect.objectContaining({ code: 'rate_limited', status: 429 })

test('each key has its own burst and rate', () => {
  const { clock, throttle } = throttleAt(0)
  for (let i = 0; i < 3; i++) throttle.admit(key('a'))
  expect(() => throttle.admit(key('a'))).toThrow(refused)
  throttle.admit(key('b'))
  clock.ms += 500
  throttle.admit(key('a'))
  expect(() => throttle.admit(key('a'))).toThrow(expect.objectContaining({ headers: { 'retry-after': '1' } }))
  clock.ms += 60_000
  for (let i = 0; i < 3; i++) throttle.admit(key('a'))
  expect(() => throttle.admit(key('a'))).toThrow(refused)
})

test('a clock set back neither locks out nor grants attempts', () => {
  const { clock, throttle } = throttleAt(10_000)
  for (let i = 0; i < 3; i++) throttle.admit(key('a'))
  clock.ms = 0
  expect(() => throttle.admit(key('a'))).toThrow(refused)
  clock.ms = 500
  throttle.admit(key('a'))
})

test('people are not counted', () => {
  const { throttle } = throttleAt(0)
  const person: Principal = { kind: 'session', id: 's', personId: 'p', name: 'Owner', expiresAt: '', workspaces: [] }
  for (let i = 0; i < 1000; i++) throttle.admit(person)
  expect(() => throttle.admit(key('a'))).not.toThrow()
})

test('the twenty-first wrong token within a second is refused otherwise than the ones before', () => {
  const { clock, throttle } = throttleAt(0)
  for (let i = 0; i < 20; i++) throttle.noteWrongToken()
  expect(() => throttle.noteWrongToken()).toThrow(refused)
  clock.ms += 1000
  for (let i = 0; i < 20; i++) throttle.noteWrongToken()
  expect(() => throttle.noteWrongToken()).toThrow(refused)
})

test('a body that trickles in is given up after half a minute, one that arrived is left alone', () => {
  vi.useFakeTimers()
  const slow = new Readable({ read: () => {} })
  cutTrickle(slow)
  vi.advanceTimersByTime(29_999)
  expect(slow.destroyed).toBe(false)
  vi.advanceTimersByTime(1)
  expect(slow.destroyed).toBe(true)

  const whole = new Readable({ read: () => {}, autoDestroy: false })
  cutTrickle(whole)
  whole.emit('end')
  vi.advanceTimersByTime(60_000)
  expect(whole.destroyed).toBe(false)
})

test('what is left of a refused body is dropped for half a minute and up to its bound, then the connection ends', () => {
  vi.useFakeTimers()
  const slow = new Readable({ read: () => {} })
  dropRest(slow, 10)
  vi.advanceTimersByTime(30_000)
  expect(slow.destroyed).toBe(true)

  const read = new Readable({ read: () => {}, autoDestroy: false })
  dropRest(read, 10)
  read.emit('data', Buffer.alloc(10))
  expect(read.destroyed).toBe(false)
  read.emit('data', Buffer.alloc(1))
  expect(read.destroyed).toBe(true)
})
