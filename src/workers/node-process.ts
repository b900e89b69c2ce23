/** What a started process tells. */
export interface NodeProcessEvents {
  message(data: unknown): void
  /** Called once: it is gone, or could not be started. */
  end(detail: string): void
}

export interface NodeProcess {
  /** Messages arrive in their order; before the process is there, they wait for it. */
  post(message: unknown): void
  kill(): void
}

/**
 * Starts a script with Node in a process of its own, though this program is not a Node that could be started again: the packaged app does it
 * by Electron's utility process. The script speaks through `process.parentPort`.
 */
export type StartNodeProcess = (script: string, events: NodeProcessEvents) => NodeProcess
