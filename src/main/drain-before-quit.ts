import type { App } from 'electron'

/** Longest wait for the service when quitting, in milliseconds. What is cut off resumes at the next start. */
export const drainDeadline = 10_000

export interface Drain {
  /** Called at once, so that the window goes away while the service finishes. */
  readonly begin: () => void
  readonly close: () => Promise<void>
  /** Milliseconds. */
  readonly deadline: number
}

/** Makes quitting wait until the service is closed, or until the deadline. */
export function drainBeforeQuit(app: Pick<App, 'on' | 'quit' | 'exit'>, drain: Drain): void {
  let state: 'running' | 'draining' | 'drained' = 'running'
  app.on('before-quit', event => {
    if (state === 'drained') return
    event.preventDefault()
    if (state === 'draining') return
    state = 'draining'
    drain.begin()
    const timer = setTimeout(() => {
      console.error(`The service did not close within ${drain.deadline / 1000} s; quitting without it.`)
      app.exit(1)
    }, drain.deadline)
    drain.close().then(
      () => {
        clearTimeout(timer)
        state = 'drained'
        app.quit()
      },
      (error: unknown) => {
        clearTimeout(timer)
        console.error('The service failed to close.', error)
        app.exit(1)
      },
    )
  })
}
