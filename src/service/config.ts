import type { Proxies } from '../engine/clients/http/proxies.ts'
import type { Rate } from './auth/index.ts'

/** Everything that decides how a service starts. */
export interface ServiceConfig {
  /** Folder that holds the database, uploads, exports and `service.json`; made with mode 0700 where absent. */
  readonly dataDir: string
  /** Port to listen on; 0 picks a free one. */
  readonly port: number
  /** Whether a taken port may be answered by the next free one. */
  readonly portMayMove: boolean
  /** Folder of the built UI; null serves the API alone. */
  readonly rendererDir: string | null
  /** Lowest level written to the log. */
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Bytes free on the disk under which runs wait; the usual where absent. */
  readonly keepFree?: number
  /** Milliseconds that a stop waits for calls in flight, so that their answers are stored; none where absent. */
  readonly stopGraceMs?: number
  /** Milliseconds that a start waits for another program that holds the data folder or the database; none where absent. */
  readonly lockWaitMs?: number
  /** How fast one key may ask; the usual where absent. */
  readonly keyRate?: Rate
  /** Stands in for the hosts that recipes' files are fetched from, each a folder of it, wherever it is; the hosts themselves where absent. */
  readonly recipeMirror?: string
  /** Through which model servers and other hosts are called; directly where absent. */
  readonly proxies?: Proxies
  /** How other machines reach it; absent where none may. */
  readonly remote?: RemoteAccess
  /** `postgres://…` of the queue that workers take jobs from; absent where everything is done on this machine. */
  readonly queue?: string
}

/** What lets other machines in: a certificate of the service's own, or a reverse proxy that has one. */
export interface RemoteAccess {
  /** IP address to listen on, as Node writes it: `0.0.0.0` and `::` are every address of the machine. */
  readonly host: string
  /** What people's browsers are given: `https://`, a name, perhaps a port, and nothing else. */
  readonly origin: string
  /** PEM; null where a reverse proxy serves the origin. */
  readonly tls: { readonly cert: string; readonly key: string } | null
}

/** Where the service listens unless told otherwise. */
export const defaultPort = 4747

/** A running service. */
export interface Service {
  /** For programs on this machine: `http://127.0.0.1:<port>` unless other machines are let in. */
  readonly baseUrl: string
  /** For people's browsers: the same, or the origin that other machines are told. */
  readonly publicUrl: string
  readonly workspaceId: string
  /** Owner session, for the host's own window and for local tools that may read the data folder. */
  readonly sessionToken: string
  /** Resolves when the service could not start again after a restore; then nothing more is served. */
  readonly failed: Promise<Error>
  /** Makes a one-time code for signing a browser in. */
  createPairingCode(): { readonly code: string; readonly expiresAt: string }
  /** Stops taking work, lets calls in flight finish or lapse, closes the database. Safe to call twice. */
  close(): Promise<void>
}
