import { z } from 'zod'
import { type Measured, measuredOf } from '../../engine/grading/scorers/scorer.ts'

/** What an attempt took, as `latency_ms`, `cost` (charged and billed) and `bill_unknown`. */
export const MeasuredRow = z.object({ latency_ms: z.number().nullable(), cost: z.int(), bill_unknown: z.int() })

export function readMeasured({ latency_ms: latencyMs, cost, bill_unknown: unknown }: z.infer<typeof MeasuredRow>): Measured {
  return measuredOf(latencyMs, cost, unknown === 1)
}
