import { isBiasedScore, type Results } from '../contract/runs/results.schemas.ts'
import { summarizeSamples } from '../engine/reporting/results/run-results.ts'
import { readResultSamples, readRetries } from '../storage/reads/run-samples.ts'
import { sampleId } from '../storage/sample-id.ts'
import { openReader } from './database-path.ts'

export interface ResultsTask {
  readonly runNo: number
  /** Everything but what is computed from the samples. */
  readonly frame: Omit<
    Results,
    'metrics' | 'breakdowns' | 'macro_means' | 'label_shares' | 'errors' | 'usage' | 'latency_ms' | 'output_tokens'
  >
}

/** Statistics over a finished run: the contract's Results as JSON text. */
export default function computeResults({ runNo, frame }: ResultsTask): string {
  const db = openReader()
  try {
    const samples = readResultSamples(db, runNo, frame.result_version, frame.coverage.epochs > 1)
    const { samples_digest, notices, ...computed } = summarizeSamples(
      frame.reproducibility.profiles,
      samples,
      position => sampleId(frame.run_id, position),
      frame.coverage.epochs,
      readRetries(db, runNo),
    )
    const { metrics, breakdowns, label_shares: shares } = computed
    const marked = {
      metrics: withCautions(metrics, frame),
      breakdowns: withCautions(breakdowns, frame),
      ...(shares && { label_shares: withCautions(shares, frame) }),
    }
    const results: Results = {
      ...frame,
      ...computed,
      ...marked,
      notices: [...frame.notices, ...notices],
      reproducibility: { ...frame.reproducibility, samples_digest },
    }
    return JSON.stringify(results)
  } finally {
    db.close()
  }
}

/** Marks each biased number itself, since it may be shown without the notices. */
function withCautions<Part extends Pick<Results['metrics'][number], 'profile_id' | 'estimate'>>(
  parts: readonly Part[],
  frame: Pick<Results, 'notices'>,
): Part[] {
  const caution = 'The tasks were chosen by this model’s own past results, so this is no estimate of how good it is.'
  return parts.map(part =>
    isBiasedScore(frame, part.profile_id)
      ? { ...part, estimate: { ...part.estimate, cautions: [...part.estimate.cautions, caution] } }
      : part,
  )
}
