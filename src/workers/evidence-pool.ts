import { Piscina } from 'piscina'
import type { EvidenceAnalysis, EvidenceMapping } from '../contract/index.ts'

/** Tasks of an analysis in one row of the database: as many as two pages are about. */
export const tasksPerChunk = 500

export interface EvidenceTask {
  readonly kind: 'analyze'
  readonly evidenceId: string
  readonly suiteVersionId: string | null
  readonly mapping: EvidenceMapping
}

type Figures = Omit<EvidenceAnalysis, 'evidence_id' | 'n' | 'suite_version_id' | 'side' | 'mapping' | 'by' | 'created_at'>

export type EvidenceAnswer =
  | ({
      readonly ok: true
      /** The contract's EvidenceTask[] as JSON, `tasksPerChunk` in each but the last. */
      readonly chunks: readonly string[]
    } & Figures)
  | { readonly ok: false; readonly message: string }

/** The capabilities of a suite's version, most tasks first. */
export interface SuiteCapabilities {
  readonly capabilities: readonly { readonly capability: string; readonly tasks: number }[]
  /** Tasks without one. */
  readonly untagged: number
}

export interface CapabilitiesTask {
  readonly kind: 'capabilities'
  readonly suiteVersionId: string
}

export interface EvidencePool {
  analyze(task: Omit<EvidenceTask, 'kind'>, signal: AbortSignal): Promise<EvidenceAnswer>
  capabilities(suiteVersionId: string, signal: AbortSignal): Promise<SuiteCapabilities>
  close(): Promise<void>
}

/** A thread that reads what other tools wrote. A file that is too much for it ends the thread and not the service. */
export function createEvidencePool(filename: string, databasePath: string): EvidencePool {
  const pool = new Piscina({
    filename,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 1_000,
    workerData: { databasePath },
    resourceLimits: { maxOldGenerationSizeMb: 2048 },
  })
  return {
    analyze: async (task, signal) => {
      try {
        // The worker answers each kind of task with its own kind of answer; piscina's own types know neither.
        return (await pool.run({ kind: 'analyze', ...task } satisfies EvidenceTask, { signal })) as EvidenceAnswer
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')) throw error
        return { ok: false, message: 'The file needs more memory than there is for reading one. Split it.' }
      }
    },
    capabilities: (suiteVersionId, signal) => pool.run({ kind: 'capabilities', suiteVersionId } satisfies CapabilitiesTask, { signal }),
    close: () => pool.destroy(),
  }
}
