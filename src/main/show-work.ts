import { type BrowserWindow, Notification } from 'electron'
import { type Api, buildRequest, type OperationId, parseReply, type Request, type Response } from '../contract/index.ts'
import type { Service } from '../service/config.ts'
import { createRunWatch, type RunNews, type Work } from './watch-runs.ts'

/** Keeps title, dock or taskbar progress and notifications of a window true until it closes. */
export function showWork(window: BrowserWindow, service: Pick<Service, 'baseUrl' | 'sessionToken' | 'workspaceId'>): void {
  let page = 'Assay'
  let work: Work = { runs: 0, share: null, paused: false }
  const title = (): void => window.setTitle(titleOf(page, work))
  window.on('page-title-updated', (event, shown) => {
    event.preventDefault()
    page = shown
    title()
  })
  const call = caller(service)
  const look = createRunWatch({
    unfinished: async () => {
      const pages = await Promise.all(
        (['running', 'queued', 'cancelling'] as const).map(status => call('listRuns', { query: { status, limit: 100 } })),
      )
      return pages.flatMap(({ items }) => items)
    },
    run: id => call('getRun', { params: { run_id: id } }),
    show: now => {
      work = now
      title()
      window.setProgressBar(now.share ?? -1, { mode: now.paused ? 'paused' : 'normal' })
    },
    tell: news => notify(window, service.baseUrl, news),
  })
  let timer: NodeJS.Timeout | undefined
  let closed = false
  const again = (): void => {
    look()
      .catch(() => retryMs)
      .then(wait => {
        if (!closed) timer = setTimeout(again, wait).unref()
      })
      .catch((error: unknown) => console.error('The progress of runs is no longer shown.', error))
  }
  window.on('closed', () => {
    closed = true
    clearTimeout(timer)
  })
  again()
}

/** The service may be restoring a backup. Milliseconds. */
const retryMs = 10_000

/** `62 % · Runs · Assay`, so that a taskbar tells how far work is. */
export function titleOf(page: string, { share, runs, paused }: Work): string {
  if (share === null) return page
  const state = paused ? 'Paused' : `${Math.floor(share * 100)} %`
  return `${state}${runs > 1 ? ` of ${runs} runs` : ''} · ${page}`
}

/** Only for people who are looking elsewhere; a click leads to the run. */
function notify(window: BrowserWindow, baseUrl: string, { runId, title, body }: RunNews): void {
  if (window.isDestroyed() || window.isFocused() || !Notification.isSupported()) return
  const notification = new Notification({ title, body })
  notification.on('click', () => {
    if (window.isDestroyed()) return
    if (window.isMinimized()) window.restore()
    window.focus()
    void window.loadURL(new URL(`/runs/${runId}`, baseUrl).href)
  })
  notification.show()
}

function caller({ baseUrl, sessionToken, workspaceId }: Pick<Service, 'baseUrl' | 'sessionToken' | 'workspaceId'>) {
  return async <Id extends OperationId>(id: Id, request: Request<Api[Id]>): Promise<Response<Api[Id]>> => {
    const { method, url, headers } = buildRequest(id, request)
    const reply = await fetch(new URL(url, baseUrl), {
      method,
      headers: { ...headers, authorization: `Bearer ${sessionToken}`, 'x-workspace-id': workspaceId },
    })
    return parseReply(id, { status: reply.status, text: await reply.text() })
  }
}
