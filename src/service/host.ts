import type { StartNodeProcess } from '../workers/node-process.ts'

export type { NodeProcess, NodeProcessEvents, StartNodeProcess } from '../workers/node-process.ts'

/** What the process around the service gives it: Electron's or headless Node's. */
export interface Host {
  /** `desktop` under Electron, `headless` under plain Node. */
  readonly kind: 'desktop' | 'headless'
  readonly secrets: SecretBox
  /** Starts Node where this program is no Node that could be started again; null where it is. */
  readonly startProcess: StartNodeProcess | null
  /** Tells the person at the console what a start waits for or works on; absent where there is no console. */
  readonly say?: (line: string) => void
  /** Aborted when the program was told to stop: a start that waits gives up. */
  readonly stopping?: AbortSignal
}

/** Encrypts provider secrets at rest. */
export interface SecretBox {
  /** Null when secrets can be stored; otherwise why not and what to do, for the user. */
  unavailableReason(): Promise<string | null>
  encrypt(plain: string): Promise<Uint8Array>
  /** Rejects when the cipher was made on another machine, by another user or with another key. */
  decrypt(cipher: Uint8Array): Promise<string>
}
