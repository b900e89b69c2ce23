import { beforeEach, describe, expect, test, vi } from 'vitest'
import { answers, BrowserWindow, recorded, resetElectron, strict } from './fake-electron.ts'

vi.mock('electron', () => import('./strict-electron.ts'))
const { checkForUpdates, isNewer, parseOffer, updateHost } = await import('../../../src/main/updates.ts')

const address = 'https://updates.example.com/assay.json'
beforeEach(() => {
  resetElectron('profile')
  answers.version = '0.1.0'
})

async function check(reply: Response | null, from = address): Promise<Record<string, unknown>> {
  answers.fetched = reply
  await checkForUpdates(strict(new BrowserWindow({})) as unknown as Parameters<typeof checkForUpdates>[0], from)
  const [dialog] = recorded.dialogs
  if (dialog === undefined) throw new Error('Nothing was said.')
  expect(dialog.parent).not.toBeNull()
  return dialog.options
}

const release = (version: string) => Response.json({ version, url: 'https://example.com/releases' })

describe('a check for updates', () => {
  test('asks the one host, offers a newer version and opens its page only on request', async () => {
    expect(await check(release('0.2.0'))).toMatchObject({ message: 'Assay 0.2.0 is available' })
    expect(recorded.opened).toEqual([address])
    answers.messageBox = 1
    await check(release('0.2.0'))
    expect(recorded.opened.at(-1)).toBe('https://example.com/releases')
  })

  test('says that the version is the newest', async () => {
    expect(await check(release('0.1.0'))).toMatchObject({
      message: 'Assay is up to date',
      detail: 'Version 0.1.0, asked updates.example.com.',
    })
  })

  test.each([
    ['an error', new Response('', { status: 503 }), 'status 503'],
    ['no JSON', new Response('<html>'), 'JSON'],
    ['no version', Response.json({ url: 'https://example.com/' }), 'names no version'],
    ['a page that is none of the web', Response.json({ version: '1.0.0', url: 'file:///etc/passwd' }), 'names no version and page'],
    ['a text that does not end', new Response('x'.repeat(70_000)), 'too long'],
  ])('explains %s', async (_case, reply, detail) => {
    expect(await check(reply)).toMatchObject({
      message: 'Couldn’t check for updates at updates.example.com',
      detail: expect.stringContaining(detail),
    })
  })

  test.each(['', 'http://example.com/'])('asks nothing where the build names no host (%j)', async from => {
    expect(await check(release('9.0.0'), from)).toMatchObject({ message: 'This build cannot check for updates' })
    expect(recorded.opened).toEqual([])
    expect(updateHost(from)).toBeNull()
  })
})

test('reads a release of GitHub too', () => {
  expect(parseOffer('{"tag_name":"v1.2.3","html_url":"https://example.com/r"}')).toEqual({
    version: '1.2.3',
    page: 'https://example.com/r',
  })
})

test.each([
  ['0.2.0', '0.1.9', true],
  ['0.10.0', '0.9.0', true],
  ['0.1.0', '0.1.0', false],
  ['0.0.9', '0.1.0', false],
])('%s against %s is newer: %s', (offered, current, newer) => {
  expect(isNewer(offered, current)).toBe(newer)
})
