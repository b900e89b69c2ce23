import type { SandboxProcess } from './sandbox-process.ts'

export type TierId = 'linux' | 'portable' | 'quickjs'
export type Language = 'python' | 'javascript'
export type Role = 'candidate' | 'checker'

/** One way of shutting model-written code in. */
export interface Tier {
  readonly id: TierId
  readonly title: string
  /** What it protects against, for people. */
  readonly protects: string
  /** What it does not protect against, for people. */
  readonly limits: string
  readonly language: Language
  /** The interpreter and its version; known once it was looked for. */
  readonly interpreter: string
  readonly bounds: Limits
  /** A process that has run nothing yet. */
  start(role: Role): SandboxProcess
  /** Lets the next process come from a fresh start of what makes them. */
  renew(): void
  /** Ends what it keeps ready between processes. A later `start` begins again. */
  close(): Promise<void>
}

/** Bounds of one sandboxed process. */
export interface Limits {
  /** Bytes of address space (Linux) or of WebAssembly memory (portable). */
  readonly memory: number
  /** Bytes of the folder in memory that it may write to, and of any file. */
  readonly disk: number
  /** Seconds of processor time; wall-clock limits are kept from outside. */
  readonly processorSeconds: number
}

/** Where a language's code runs; null where this machine has no sandbox for it. */
export type ByLanguage<Place> = Readonly<Record<Language, Place | null>>

const mebi = 1024 * 1024

export const linuxBounds: Limits = { memory: 1024 * mebi, disk: 64 * mebi, processorSeconds: 600 }
/** A process whose parent was killed while it computes ends after its processor time at the latest. */
export const portableBounds: Limits = { memory: 512 * mebi, disk: 64 * mebi, processorSeconds: 900 }
export const quickjsBounds: Limits = { memory: 256 * mebi, disk: 0, processorSeconds: 900 }

/** Where the programs lie that run inside. */
export interface SandboxFiles {
  /** What runs inside beside the code: the parts of `resources/sandbox/harness` as one program. */
  readonly harness: string
  /** Text of `resources/sandbox/linux.py`. */
  readonly linux: string
  /** The script that runs the portable tier's interpreter, locked in. */
  readonly portableEntry: string
  /** Folder of the pyodide package. */
  readonly pyodide: string
  /** The script that runs the JavaScript tier's interpreter, locked in. */
  readonly javascriptEntry: string
  /** Text of `resources/sandbox/harness.js`. */
  readonly javascriptHarness: string
  /** Text of `resources/sandbox/world.js`. */
  readonly worldHarness: string
  readonly quickjs: {
    /** Modules of QuickJS's interface and of its WebAssembly. */
    readonly core: string
    readonly variant: string
    /** All that they read. */
    readonly folders: readonly string[]
  }
  /** Folder for what is made once and kept; the portable tier starts slowly without it. */
  readonly cache: string | null
}
