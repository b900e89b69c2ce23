import type { StartNodeProcess } from '../workers/node-process.ts'

export type { NodeProcess, NodeProcessEvents, StartNodeProcess } from '../workers/node-process.ts'

/** What the process around the service gives it: Electron's or headless Node's. */
export interface Host {
  /** `desktop` under Electron, `headless` under plain Node. */
  readonly kind: 'desktop' | 'headless'
  readonly secrets: SecretBox
  /** Starts Node where this program is not a Node that could be started again; null where it is. */
  readonly startProcess: StartNodeProcess | null
  /** Tells the person at the console what a start waits for or works on; absent where there is no console. */
  readonly say?: (line: string) => void
  /** Aborted when the program was told to stop: a start that waits gives up. */
  readonly stopping?: AbortSignal
}

/** The only row that a stored secret is for, and the only address. */
export interface SecretPlace {
  readonly workspaceId: string
  readonly table: 'connections' | 'trace_integrations' | 'remote_scorers' | 'release_keys' | 'webhooks'
  /** Of a signing key, which has no id: that of its workspace. */
  readonly rowId: string
  /** Scheme, host and port that the secret is sent to; null: it is sent nowhere. */
  readonly origin: string | null
}

/** Encrypts secrets at rest, each sealed to its place: moved to another row or beside another address, it is not decrypted. */
export interface SecretBox {
  /** Null when secrets can be stored; otherwise why not and what to do, for the user. */
  unavailableReason(): Promise<string | null>
  encrypt(plain: string, place: SecretPlace): Promise<Uint8Array>
  /** Rejects when the cipher was made for another place, on another machine, by another user or with another key. */
  decrypt(cipher: Uint8Array, place: SecretPlace): Promise<string>
  /** Seals what a version without places encrypted; null where the cipher is not one of those. Rejects where it cannot be decrypted. */
  sealFormer(cipher: Uint8Array, place: SecretPlace): Promise<Uint8Array | null>
}
