import { z } from 'zod'
import { agreementFunctions } from './agreement-functions.ts'
import { comparisonFunctions } from './comparison-functions.ts'
import { disagreement, isRefusal } from './disagreement.ts'
import { distributionFunctions } from './distribution-functions.ts'
import { estimateFunctions } from './estimate-functions.ts'
import { planningFunctions } from './planning-functions.ts'
import type { VectorFunction } from './vector-function.ts'

/** One row of a vectors file: a function, its inputs, and the answer that another implementation gave. */
const vectorRow = z.object({
  fn: z.string(),
  inputs: z.unknown(),
  /** "NaN" means null with a reason; an object with `error` means that the function refuses. */
  expected: z.unknown(),
  /** Allowed error, relative and absolute: |x - e| <= tol (1 + |e|). */
  tol: z.number().nonnegative(),
})

export type VectorRow = z.infer<typeof vectorRow>

/** A vectors file as parsed JSON; throws a ZodError where it is not a list of rows. */
export function parseVectors(json: unknown): VectorRow[] {
  return z.array(vectorRow).parse(json)
}

const functions = new Map<string, VectorFunction>(
  [distributionFunctions, estimateFunctions, comparisonFunctions, planningFunctions, agreementFunctions].flatMap(group =>
    Object.entries(group),
  ),
)

/** The names that a vectors file may use. */
export const vectorFunctionNames: readonly string[] = [...functions.keys()]

export interface CheckedVector {
  /** Null when the library agrees with the row, otherwise what differs. */
  readonly problem: string | null
  /** What the reader of the check should know although the row passes. */
  readonly note: string | null
}

/** Runs one row. */
export function checkVector({ fn, inputs, expected, tol }: VectorRow): CheckedVector {
  const run = functions.get(fn)
  if (!run) return { problem: `There is no function "${fn}" in the statistics library.`, note: null }
  try {
    const outcome = run(inputs)
    return { problem: disagreement(expected, outcome, tol), note: outcome.note ?? null }
  } catch (error) {
    if (error instanceof RangeError)
      return { problem: isRefusal(expected) ? null : `The inputs were refused: ${error.message}`, note: null }
    if (error instanceof z.ZodError) return { problem: `The inputs have another shape than ${fn} takes: ${error.message}`, note: null }
    throw error
  }
}
