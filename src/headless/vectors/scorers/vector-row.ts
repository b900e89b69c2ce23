import { z } from 'zod'

/** One case of a vectors file: what another tool's scorer gave for an output. */
export const vectorRowSchema = z.object({
  scorer: z.string(),
  options: z.record(z.string(), z.unknown()),
  output: z.unknown(),
  target: z.unknown(),
  expected: z.unknown(),
})

export type VectorRow = z.output<typeof vectorRowSchema>

/** What ours gives for a row, in the form of its `expected`; it throws where the tool raises an error. */
export type RunVector = (row: VectorRow) => unknown

/** The vector scorers of one tool, by the name the file uses for them. */
export interface VectorFamily {
  readonly runs: Readonly<Record<string, RunVector>>
  /** Largest difference of two numbers that counts as equal, relative above 1 and absolute below; 1e-9 unless the file rounds. */
  readonly tolerance?: number
}
