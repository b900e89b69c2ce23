import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { allowOnlyCopying, denyAllPermissions } from '../../../src/main/permission-policy.ts'

const origin = 'http://127.0.0.1:4747'
const copying = 'clipboard-sanitized-write'

/** The names in Electron's own types, so that a new permission is tested on the day Electron gets it. */
function knownPermissions(): string[] {
  const types = readFileSync(join(dirname(createRequire(import.meta.url).resolve('electron/package.json')), 'electron.d.ts'), 'utf8')
  const union = /setPermissionRequestHandler\(handler: \(\(webContents: WebContents, permission: ([^,]+),/.exec(types)?.[1] ?? ''
  return union.split('|').map(name => name.trim().replaceAll("'", ''))
}

const gate = {
  setPermissionRequestHandler: vi.fn<(handler: unknown) => void>(),
  setPermissionCheckHandler: vi.fn<(handler: unknown) => void>(),
  setDevicePermissionHandler: vi.fn<(handler: unknown) => void>(),
}

/** Calls the handler that was installed last. */
function call(setter: { mock: { lastCall?: unknown[] | undefined } }, ...args: unknown[]): unknown {
  const handler = setter.mock.lastCall?.[0]
  if (typeof handler !== 'function') throw new Error('No handler was installed.')
  return Reflect.apply(handler, undefined, args)
}

/** What the page is told when it asks, and when it only checks. */
function verdicts(
  permission: string,
  details: { requestingUrl?: string; isMainFrame: boolean } = { requestingUrl: `${origin}/`, isMainFrame: true },
): unknown[] {
  const answer = vi.fn<(granted: boolean) => void>()
  call(gate.setPermissionRequestHandler, null, permission, answer, details)
  return [...answer.mock.calls.flat(), call(gate.setPermissionCheckHandler, null, permission, origin, details)]
}

const denied = [false, false]

beforeEach(() => {
  vi.clearAllMocks()
})

test('the permissions that Electron knows are known here', () => {
  expect(knownPermissions()).toEqual(
    expect.arrayContaining(['media', 'geolocation', 'notifications', 'clipboard-read', copying, 'usb', 'openExternal']),
  )
})

describe('the page of a report being printed', () => {
  test.each(knownPermissions())('is denied %s', permission => {
    denyAllPermissions(gate)
    expect(verdicts(permission)).toEqual(denied)
  })
})

describe('the page of the window', () => {
  beforeEach(() => allowOnlyCopying(gate, origin))

  test.each(knownPermissions().filter(permission => permission !== copying))('is denied %s', permission => {
    expect(verdicts(permission)).toEqual(denied)
  })

  test.each(['hid', 'serial', 'usb'])('is denied %s devices', deviceType => {
    expect(call(gate.setDevicePermissionHandler, { deviceType, origin, device: {} })).toBe(false)
  })

  test('may put text on the clipboard', () => {
    expect(verdicts(copying)).toEqual([true, true])
  })

  test.each([
    ['of another origin', { requestingUrl: 'https://example.com/', isMainFrame: true }],
    ['of another port', { requestingUrl: 'http://127.0.0.1:4748/', isMainFrame: true }],
    ['within the page', { requestingUrl: `${origin}/`, isMainFrame: false }],
    ['without an address', { isMainFrame: true }],
  ])('may not when it is a frame %s', (_which, details) => {
    expect(verdicts(copying, details)).toEqual(denied)
  })
})
