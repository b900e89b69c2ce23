import type { EvidenceAnalysis, EvidenceMapping } from '../contract/releases/evidence.schemas.ts'
import { createBoundedPool, fileBounds, WorkLimitError } from './bounded-pool.ts'
import type evidence from './evidence.worker.ts'

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
  const pool = createBoundedPool({ ...fileBounds, filename, workerData: { databasePath } })
  return {
    analyze: async (task, signal) => {
      try {
        return await pool.run<typeof evidence, EvidenceAnswer>({ kind: 'analyze', ...task }, { signal })
      } catch (error) {
        if (!(error instanceof WorkLimitError)) throw error
        return { ok: false, message: `The file is too much for one reading: ${error.message} Split it.` }
      }
    },
    capabilities: (suiteVersionId, signal) =>
      pool.run<typeof evidence, SuiteCapabilities>({ kind: 'capabilities', suiteVersionId }, { signal }),
    close: () => pool.close(),
  }
}
