import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { createExternalLinks, parseExternalLink } from '../../../src/main/external-links.ts'

const badInput = new URL('../../../../shared/badinput/', import.meta.url)

function linksThatAnswer(answer: boolean) {
  const confirm = vi.fn(async (_question: { message: string; detail: string }) => answer)
  const open = vi.fn(async (_href: string) => undefined)
  return { confirm, open, follow: createExternalLinks({ confirm, open }) }
}

describe('external link', () => {
  test.each([
    ['https://example.com/a?b=c', 'example.com'],
    ['https://example.com:8443/', 'example.com:8443'],
    ['https://xn--pple-43d.com/', 'xn--pple-43d.com'],
    ['https://аpple.com/', 'xn--pple-43d.com'],
    ['https://EXAMPLE.com/', 'example.com'],
  ])('%s is offered as host %s', (address, host) => {
    expect(parseExternalLink(address)?.host).toBe(host)
  })

  test.each([
    'http://example.com/',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://:secret@example.com/',
    'mailto:a@example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'smb://server/share',
    'ms-msdt:/id',
    'vscode://file/x',
    'https://',
    'https:///',
    'example.com',
    '',
    `https://example.com/?d=${'x'.repeat(2048)}`,
  ])('%s is not offered', address => {
    expect(parseExternalLink(address)).toBeNull()
  })

  test('is always https without credentials', () => {
    const scheme = fc.constantFrom('https:', 'HTTPS:', 'http:', 'javascript:', ' https:', 'https')
    const address = fc.tuple(scheme, fc.constantFrom('//', '/', '\\\\', ''), fc.string({ unit: 'grapheme' })).map(parts => parts.join(''))
    let offered = 0
    fc.assert(
      fc.property(address, text => {
        const link = parseExternalLink(text)
        if (link === null) return true
        offered += 1
        const url = new URL(link.href)
        return url.protocol === 'https:' && url.username === '' && url.password === '' && url.host === link.host
      }),
      { numRuns: 500 },
    )
    expect(offered).toBeGreaterThan(0)
  })

  describe.skipIf(!existsSync(badInput))('(needs the shared folder of bad inputs beside the checkout)', () => {
    test('no address of the collected URI attacks is offered', () => {
      const lines = readFileSync(new URL('fuzzdb/xss-uri.txt', badInput), 'utf8').split('\n').filter(Boolean)
      expect(lines.length).toBeGreaterThan(0)
      expect(lines.map(parseExternalLink)).toEqual(lines.map(() => null))
    })

    test('no link of the collected Markdown attacks is opened without a question that names its host', async () => {
      const cases = readFileSync(new URL('own/md_exfil.json', badInput), 'utf8')
      const addresses = cases.match(/[a-z]+:[^\s"\\)<>]+/gi) ?? []
      expect(addresses.length).toBeGreaterThan(10)
      for (const address of addresses) {
        const { confirm, open, follow } = linksThatAnswer(true)
        await follow(address)
        for (const [href] of open.mock.calls) {
          expect(href).toMatch(/^https:/)
          expect(confirm.mock.calls[0]?.[0].message).toContain(new URL(href).host)
        }
        expect(open.mock.calls.length).toBe(confirm.mock.calls.length)
      }
    })
  })
})

describe('following a link', () => {
  test('opens it once the user agrees', async () => {
    const { confirm, open, follow } = linksThatAnswer(true)
    await follow('https://аpple.com/paper')
    expect(confirm.mock.calls).toEqual([[{ message: 'Open xn--pple-43d.com in your browser?', detail: 'https://xn--pple-43d.com/paper' }]])
    expect(open.mock.calls).toEqual([['https://xn--pple-43d.com/paper']])
  })

  test('opens nothing when the user declines', async () => {
    const { open, follow } = linksThatAnswer(false)
    await follow('https://example.com/')
    expect(open).not.toHaveBeenCalled()
  })

  test('shows no question for a disallowed address', async () => {
    const { confirm, follow } = linksThatAnswer(true)
    await follow('javascript:alert(1)')
    expect(confirm).not.toHaveBeenCalled()
  })

  test('asks one question at a time, and again after it is answered', async () => {
    const pending = Promise.withResolvers<boolean>()
    const confirm = vi.fn(() => pending.promise)
    const follow = createExternalLinks({ confirm, open: async () => undefined })
    const first = follow('https://example.com/1')
    await follow('https://example.com/2')
    expect(confirm).toHaveBeenCalledTimes(1)
    pending.resolve(false)
    await first
    await follow('https://example.com/3')
    expect(confirm).toHaveBeenCalledTimes(2)
  })

  test('cuts a long address in the question', async () => {
    const { confirm, follow } = linksThatAnswer(false)
    await follow(`https://example.com/${'a'.repeat(1000)}`)
    expect(confirm.mock.calls[0]?.[0].detail).toHaveLength(301)
  })
})
