import { type BrowserWindow, Notification } from 'electron'
import type { Caller } from './call-service.ts'
import { bringForward } from './main-window.ts'
import type { RecentRun } from './recent-runs.ts'
import { createRunWatch, type RunNews, type Work } from './watch-runs.ts'

/** What else shows the work of runs. */
export interface WorkListeners {
  readonly work: (work: Work) => void
  readonly recent: (runs: readonly RecentRun[]) => void
  /** Shows one of Assay's pages, by its path, without losing what was typed in the present one. */
  readonly open: (path: string) => void
}

const recentCount = 8

/**
 * Keeps title, dock or taskbar progress and notifications of a window true until it closes.
 * @returns what looks again at once: the last look is up to ten seconds old
 */
export function showWork(window: BrowserWindow, call: Caller, listeners: WorkListeners): () => Promise<unknown> {
  let page = 'Assay'
  let work: Work = { runs: 0, share: null, paused: false }
  const title = (): void => window.setTitle(titleOf(page, work))
  window.on('page-title-updated', (event, shown) => {
    event.preventDefault()
    page = shown
    title()
  })
  let listed = ''
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
      listeners.work(now)
    },
    tell: news => notify(window, news, listeners.open),
  })
  const lookAtAll = async (): Promise<number> => {
    const wait = await look()
    const { items } = await call('listRuns', { query: { limit: recentCount } })
    const recent = items.map(({ id, name }) => ({ id, name }))
    if (JSON.stringify(recent) !== listed && !closed) {
      listed = JSON.stringify(recent)
      listeners.recent(recent)
    }
    return wait
  }
  let timer: NodeJS.Timeout | undefined
  let closed = false
  // One after the other: each reports what changed since the one before.
  let last: Promise<unknown> = Promise.resolve()
  const lookNext = (): Promise<number> => {
    const next = last.then(lookAtAll, lookAtAll)
    last = next
    return next
  }
  const again = (): void => {
    lookNext()
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
  return lookNext
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
function notify(window: BrowserWindow, { runId, title, body }: RunNews, open: (path: string) => void): void {
  if (window.isDestroyed() || window.isFocused() || !Notification.isSupported()) return
  const notification = new Notification({ title, body })
  notification.on('click', () => {
    if (window.isDestroyed()) return
    bringForward(window)
    open(`/runs/${runId}`)
  })
  notification.on('failed', (_event, error) => console.error(`The system did not show the notification "${title}".`, error))
  notification.show()
}
