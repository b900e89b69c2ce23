import { Effort, type ExecutionOptions } from '../../contract/catalog/models.schemas.ts'
import type { TierReport } from '../../engine/grading/sandbox/open-sandbox.ts'

/** What this machine and this version offer for running. */
export function executionOptions(scoringWorkers: number, sandboxes: readonly TierReport[]): ExecutionOptions {
  return {
    scoring_workers: scoringWorkers,
    concurrency: { min: 1, default: 16, max: 256 },
    attempts: { min: 1, default: 5, max: 10 },
    attempt_timeout_ms: { min: 1_000, default: 120_000, max: 3_600_000 },
    epochs: { min: 1, default: 1, max: 100 },
    sample_count: { min: 1, max: 1_000_000 },
    max_output_tokens: { min: 1, default: 1024, max: 1_000_000 },
    cache: { available: true, reason: 'Off unless execution.cache is set. Cached answers are marked in results.' },
    efforts: Effort.options,
    sandboxes: sandboxes.map(tier => ({ ...tier })),
  }
}
