import type { App } from 'electron'

/** Longest wait for the service when quitting, in milliseconds. What is cut off resumes at the next start. */
export const drainDeadline = 10_000
/** The same when the system ends: it waits about five seconds for a program. */
const endDeadline = 4_000
/** A log-out that another program stopped leaves the app as it was, in milliseconds. */
const endLapse = 60_000

export interface Drain {
  /** Whether to quit, asked once each time; false leaves the app open. Nothing is asked when the system ends. */
  readonly mayQuit: () => Promise<boolean>
  /** Called before the wait, so that the window goes away while the service finishes. */
  readonly begin: () => void
  readonly close: () => Promise<void>
  /** Starts the app again after its end, with these arguments. */
  readonly relaunch: (args: readonly string[]) => void
  /** Milliseconds. */
  readonly deadline: number
}

/** What the rest of the shell may know of quitting and ask of it. */
export interface Quitting {
  /** Whether windows may close now: the service has, or the system ends. */
  readonly mayClose: () => boolean
  /** Whether the app is on its way out and only waits. */
  readonly isDraining: () => boolean
  /** The app was started again while draining: it starts once more after its end. */
  readonly openAgain: (args: readonly string[]) => void
  /** The system is about to end and waits: the service is closed, then the app exits. */
  readonly endNow: () => void
  /** The system may end at any moment and does not wait: nothing is prevented from now on. */
  readonly endSoon: () => void
}

/** Makes quitting wait until the service is closed, or until the deadline. */
export function drainBeforeQuit(app: Pick<App, 'on' | 'quit' | 'exit'>, drain: Drain): Quitting {
  let state: 'running' | 'asking' | 'draining' | 'drained' | 'ending' = 'running'
  let again: readonly string[] | null = null

  function finish(code: 0 | 1): void {
    if (state === 'drained') return
    state = 'drained'
    if (again !== null) drain.relaunch(again)
    if (code === 0) app.quit()
    else app.exit(code)
  }

  function drainNow(): void {
    state = 'draining'
    drain.begin()
    const timer = setTimeout(() => {
      console.error(`The service did not close within ${drain.deadline / 1000} s; quitting without it.`)
      finish(1)
    }, drain.deadline)
    drain
      .close()
      .then(
        () => 0 as const,
        (error: unknown) => {
          console.error('The service failed to close.', error)
          return 1 as const
        },
      )
      .then(code => {
        clearTimeout(timer)
        finish(code)
      })
      .catch((error: unknown) => {
        console.error('The app failed to quit.', error)
        app.exit(1)
      })
  }

  app.on('before-quit', event => {
    if (state === 'drained' || state === 'ending') return
    event.preventDefault()
    if (state !== 'running') return
    state = 'asking'
    drain
      .mayQuit()
      .catch((error: unknown) => {
        console.error('Whether to quit could not be asked.', error)
        return true
      })
      .then(may => {
        if (state !== 'asking') return
        if (may) drainNow()
        else state = 'running'
      })
      .catch((error: unknown) => console.error('Quitting failed.', error))
  })

  return {
    mayClose: () => state === 'drained' || state === 'ending',
    isDraining: () => state === 'draining' || state === 'drained',
    openAgain: args => {
      again = args
    },
    endNow: () => {
      if (state === 'ending' || state === 'drained') return
      state = 'ending'
      const exit = () => app.exit(0)
      const timer = setTimeout(exit, endDeadline)
      drain
        .close()
        .catch((error: unknown) => console.error('The service failed to close.', error))
        .finally(() => {
          clearTimeout(timer)
          exit()
        })
    },
    endSoon: () => {
      const before = state
      if (before !== 'running' && before !== 'asking') return
      state = 'ending'
      setTimeout(() => {
        if (state === 'ending') state = 'running'
      }, endLapse).unref()
    },
  }
}
