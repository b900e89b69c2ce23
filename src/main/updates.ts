import { app, type BrowserWindow, dialog, net, shell } from 'electron'
import { parseExternalLink } from './external-links.ts'
import { messageOf } from '../lib/message-of.ts'

/** Longest answer read, in characters. */
const longestAnswer = 64 * 1024
const timeoutMs = 15_000

/** A release that is offered. */
export interface Offer {
  readonly version: string
  /** Page that it can be had from. */
  readonly page: string
}

/** The host that a build asks for updates, or null where it was built without `ASSAY_UPDATES_URL` or with one that is not an https address. */
export function updateHost(address: string): string | null {
  return parseExternalLink(address)?.host ?? null
}

/**
 * Reads `{"version": "1.2.3", "url": "https://…"}`, or a GitHub release (`tag_name`, `html_url`).
 * @throws Error when it is neither.
 */
export function parseOffer(text: string): Offer {
  const answer: unknown = JSON.parse(text)
  const field = (...names: readonly string[]): string => {
    const values: unknown[] = typeof answer === 'object' && answer !== null ? names.map(name => Reflect.get(answer, name)) : []
    return values.find(value => typeof value === 'string') ?? ''
  }
  const version = field('version', 'tag_name').replace(/^v/, '')
  const page = parseExternalLink(field('url', 'html_url'))
  if (!/^\d+\.\d+\.\d+$/.test(version) || page === null) throw new Error('The answer names no version and page.')
  return { version, page: page.href }
}

/** Whether `offered` is newer; both are three numbers. */
export function isNewer(offered: string, current: string): boolean {
  const [theirs, ours] = [offered, current].map(version => version.split('.').map(Number))
  const place = (theirs ?? []).findIndex((part, index) => part !== ours?.[index])
  return place >= 0 && Number(theirs?.[place]) > Number(ours?.[place])
}

/** Asks the one host that the build names, because the person pressed for it, and says what it answered. Downloads nothing. */
export async function checkForUpdates(window: BrowserWindow, address: string): Promise<void> {
  const host = updateHost(address)
  if (host === null) {
    await dialog.showMessageBox(window, {
      type: 'info',
      message: 'This build cannot check for updates',
      detail: 'It was built without an address to ask. Look where you got it.',
    })
    return
  }
  const answer = await askHost(address).catch(messageOf)
  if (window.isDestroyed()) return
  if (typeof answer === 'string') {
    await dialog.showMessageBox(window, { type: 'warning', message: `Couldn’t check for updates at ${host}`, detail: answer })
    return
  }
  const current = app.getVersion()
  if (!isNewer(answer.version, current)) {
    await dialog.showMessageBox(window, { type: 'info', message: 'Assay is up to date', detail: `Version ${current}, asked ${host}.` })
    return
  }
  const { response } = await dialog.showMessageBox(window, {
    type: 'info',
    message: `Assay ${answer.version} is available`,
    detail: `You have ${current}. ${answer.page} opens in your browser.`,
    buttons: ['Later', 'Open page'],
    defaultId: 1,
    cancelId: 0,
    noLink: true,
  })
  if (response === 1) await shell.openExternal(answer.page)
}

async function askHost(address: string): Promise<Offer> {
  const reply = await net.fetch(address, { credentials: 'omit', redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  if (!reply.ok) throw new Error(`It answered with status ${reply.status}.`)
  const text = await reply.text()
  if (text.length > longestAnswer) throw new Error('Its answer is too long.')
  return parseOffer(text)
}
