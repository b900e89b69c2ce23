import { setTimeout as delay } from 'node:timers/promises'
import { type BrowserWindow, powerMonitor } from 'electron'
import { createCaller } from './call-service.ts'
import { askWhatClosingDoes } from './close-with-work.ts'
import type { Quitting } from './drain-before-quit.ts'
import { putAway } from './main-window.ts'
import type { OpenTarget } from './open-target.ts'
import type { RecentRun } from './recent-runs.ts'
import type { Settings } from './settings.ts'
import type { DesktopService } from './start-service.ts'
import type { WorkTray } from './tray.ts'
import type { Work } from './watch-runs.ts'

/** When runs are resumed after sleep, in milliseconds. */
const wakingMs = [0, 5_000, 20_000]
/** How long closing waits for the present work of runs. Milliseconds. */
const lookMs = 2_000

/** What runs now. Each is null until it exists; the window again once it is closed. */
export interface Running {
  service: Promise<DesktopService> | null
  window: BrowserWindow | null
  /** Origin of the pages, once the service serves them. */
  origin: string | null
  work: Work
  /** Looks at the work again; null until there is a service to ask. */
  look: (() => Promise<unknown>) | null
  recent: readonly RecentRun[]
  /** Asked for before there was a page to show it. */
  pending: OpenTarget | null
  tray: WorkTray | null
}

/** Asks, where runs are working, what to do with them on closing; does it, and answers whether the app may quit. */
export async function mayQuit(running: Running, settings: Settings): Promise<boolean> {
  // Runs may have begun or ended since the last look; a service that gives no answer is not waited for.
  await Promise.race([running.look?.().catch(() => undefined), delay(lookMs, undefined, { ref: false })])
  const { window, work } = running
  if (window === null || work.runs === 0) return true
  const answer = await askWhatClosingDoes(window, work, settings)
  if (answer === 'cancel-closing') return false
  if (answer === 'tray') {
    running.tray?.show(running.work)
    putAway(window)
    return false
  }
  if (answer === 'cancel') await cancelRuns(running)
  return true
}

async function cancelRuns(running: Running): Promise<void> {
  const service = await running.service
  if (service === null) return
  const call = createCaller(service)
  const lists = await Promise.all((['running', 'queued'] as const).map(status => call('listRuns', { query: { status, limit: 100 } })))
  await Promise.all(lists.flatMap(({ items }) => items).map(({ id }) => call('cancelRun', { params: { run_id: id } })))
}

export function listenToPower(running: Running, quitting: Quitting): void {
  // Log-out, restart, shutdown on Linux and macOS: the system waits for the app to end, and a quit that is prevented would stop it.
  // It gives its listeners an event, which its typings leave out (`PowerMonitor::ShouldShutdown`).
  powerMonitor.on('shutdown', (...[event]: readonly { readonly preventDefault: () => void }[]) => {
    event?.preventDefault()
    quitting.endNow()
  })
  /** Runs that sleep paused. Should the app end before the machine wakes, they stay paused, and the home page says so. */
  let slept: Promise<readonly string[]> = Promise.resolve([])
  powerMonitor.on('suspend', () => {
    slept = pauseRuns(running).catch((error: unknown) => {
      console.error('Runs could not be paused before sleep.', error)
      return []
    })
  })
  // Sleep cuts off the calls that did not end in time, and each is made again. A run that lost its endpoint so waits with growing pauses,
  // which a person who is back need not wait out; the network comes a little later than the machine.
  powerMonitor.on('resume', () => {
    for (const wait of wakingMs)
      setTimeout(() => {
        if (quitting.isDraining()) return
        slept
          .then(ids => resumeRuns(running, ids))
          .catch((error: unknown) => console.error('Runs could not be resumed after sleep.', error))
      }, wait).unref()
  })
}

/** Pauses what runs. @returns ids of the runs that it paused */
async function pauseRuns(running: Running): Promise<readonly string[]> {
  const service = await running.service
  if (service === null) return []
  const call = createCaller(service)
  const lists = await Promise.all((['running', 'queued'] as const).map(status => call('listRuns', { query: { status, limit: 100 } })))
  const ids = lists.flatMap(({ items }) => items.filter(({ pause }) => pause === null).map(({ id }) => id))
  // One that has ended meanwhile needs none.
  await Promise.allSettled(ids.map(id => call('pauseRun', { params: { run_id: id } })))
  return ids
}

/** @param slept runs that were paused for sleep */
async function resumeRuns(running: Running, slept: readonly string[]): Promise<void> {
  const service = await running.service
  if (service === null) return
  const call = createCaller(service)
  const { items } = await call('listRuns', { query: { status: 'running', limit: 100 } })
  await Promise.all(
    items
      .filter(({ id, pause }) => pause?.code === 'endpoint_down' || (pause?.code === 'paused' && slept.includes(id)))
      .map(({ id }) => call('resumeRun', { params: { run_id: id } })),
  )
}
