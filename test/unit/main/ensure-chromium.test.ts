import { expect, test, vi } from 'vitest'
import { type ChromiumFacts, ensureChromium } from '../../support/ensure-chromium.ts'

const install = vi.fn(() => true)
const absent: ChromiumFacts = { named: undefined, mayInstall: true, exists: () => false, install }

test('takes the Chromium that is named or installed, and installs nothing then', () => {
  install.mockClear()
  expect(ensureChromium({ ...absent, named: '/opt/chromium', exists: path => path === '/opt/chromium' })).toBe('/opt/chromium')
  expect(ensureChromium({ ...absent, exists: path => path === '/usr/bin/chromium' })).toBe('/usr/bin/chromium')
  expect(ensureChromium({ ...absent, exists: () => true })).toBe('/usr/bin/chromium-headless-shell')
  expect(install).not.toHaveBeenCalled()
})

test("installs Debian's where it may", () => {
  let installed = false
  const facts = { exists: (path: string) => installed && path === '/usr/bin/chromium-headless-shell', install: () => (installed = true) }
  expect(ensureChromium({ ...absent, ...facts })).toBe('/usr/bin/chromium-headless-shell')
})

test.each<[string, Partial<ChromiumFacts>, string]>([
  ['it may not install', { mayInstall: false }, 'apt-get install chromium'],
  ['the installation fails', { install: () => false }, 'apt-get install chromium'],
  ['the named one is missing', { named: '/opt/gone' }, 'ASSAY_CHROMIUM names /opt/gone'],
])('says what to do where %s', (_case, facts, message) => {
  expect(() => ensureChromium({ ...absent, ...facts })).toThrow(message)
})
