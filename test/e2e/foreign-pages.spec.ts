import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium } from '@playwright/test'
import { expect, openHome, test } from './support/workstation.ts'

/** What a page of another origin sees of each way to reach the service; run in that page. */
const attempts = async (base: string): Promise<Record<string, string>> => {
  const seen: Record<string, string> = {}
  const tried = async (name: string, attempt: () => Promise<string>) => {
    seen[name] = await attempt().catch(() => 'blocked')
  }
  const loads = (element: HTMLScriptElement | HTMLImageElement | HTMLIFrameElement, url: string) =>
    new Promise<string>(resolve => {
      element.onload = () => resolve('loaded')
      element.onerror = () => resolve('blocked')
      element.src = url
      document.body.append(element)
    })
  await tried('fetch', async () => (await fetch(`${base}/v1/runs`, { credentials: 'include' })).text())
  await tried('fetch of a simple form', async () =>
    (await fetch(`${base}/v1/feedback`, { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } })).text(),
  )
  await tried('script', () => loads(document.createElement('script'), `${base}/v1/openapi.json`))
  await tried('image', () => loads(document.createElement('img'), `${base}/v1/runs`))
  await tried(
    'event source',
    () =>
      new Promise(resolve => {
        const source = new EventSource(`${base}/v1/runs/x/events`, { withCredentials: true })
        source.onopen = () => resolve('open')
        source.onerror = () => {
          source.close()
          resolve('blocked')
        }
      }),
  )
  await tried(
    'web socket',
    () =>
      new Promise(resolve => {
        const socket = new WebSocket(`${base.replace('http', 'ws')}/v1/runs`)
        socket.onopen = () => resolve('open')
        socket.onerror = () => resolve('blocked')
      }),
  )
  return seen
}

test('a page on another port reads nothing from the service, although the browser is signed in', async ({
  page,
  context,
  session,
  workstation,
}) => {
  await context.addCookies(session)
  const site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<body>elsewhere</body>'))
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
  // A TCP server has such an address.
  await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`)
  for (const base of [workstation.baseUrl, workstation.baseUrl.replace('127.0.0.1', 'localhost')]) {
    const seen = await page.evaluate(attempts, base)
    expect(seen).toEqual(Object.fromEntries(Object.keys(seen).map(name => [name, 'blocked'])))
    expect(Object.keys(seen)).toHaveLength(6)
  }
  await new Promise(resolve => site.close(resolve))
})

test('a foreign host name that resolves to this machine gets 421 and no data', async ({ workstation, launchOptions }) => {
  const { port } = new URL(workstation.baseUrl)
  const browser = await chromium.launch({
    ...launchOptions,
    args: [...(launchOptions.args ?? []), '--host-resolver-rules=MAP evil.test 127.0.0.1'],
  })
  // A page of an attacker has no policy that keeps it from asking.
  const page = await browser.newPage({ bypassCSP: true })
  for (const path of ['/', '/v1/runs', '/docs']) {
    const answer = await page.goto(`http://evil.test:${port}${path}`)
    expect({ path, status: answer?.status() }).toEqual({ path, status: 421 })
    const text = (await answer?.text()) ?? ''
    expect(text).toContain('misdirected_request')
    expect(text).not.toContain('items')
  }
  expect(await page.evaluate(async () => (await fetch('/v1/runs')).status)).toBe(421)
  await browser.close()
})

test('the page itself takes no markup or code from text, and loads nothing from elsewhere', async ({ app }) => {
  const site = createServer((_request, response) => response.end('elsewhere'))
  let hits = 0
  site.on('request', () => hits++)
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
  const elsewhere = `http://127.0.0.1:${(site.address() as AddressInfo).port}/` // a TCP server has such an address
  await openHome(app)
  const tried = await app.evaluate(async address => {
    const thrown = (attempt: () => unknown) => {
      try {
        attempt()
        return 'done'
      } catch (error) {
        return error instanceof Error ? error.name : 'thrown'
      }
    }
    const image = new Image()
    const shown = new Promise(resolve => {
      image.addEventListener('load', () => resolve('done'))
      image.addEventListener('error', () => resolve('refused'))
    })
    image.src = address
    const script = document.createElement('script')
    return {
      markup: thrown(() => (document.body.innerHTML = '<b>x</b>')),
      script: thrown(() => (script.text = 'globalThis.broken = true')),
      address: thrown(() => (script.src = address)),
      image: await shown,
      call: await fetch(address).catch((error: unknown) => (error instanceof Error ? 'refused' : 'thrown')),
    }
  }, elsewhere)
  expect(tried).toEqual({
    markup: 'TypeError',
    script: 'TypeError',
    address: 'TypeError',
    image: 'refused',
    call: 'refused',
  })
  expect(hits).toBe(0)
  await new Promise(resolve => site.close(resolve))
})
