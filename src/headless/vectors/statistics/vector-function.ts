import { z } from 'zod'
import type { Estimate, Interval } from '../../../engine/statistics/estimate.ts'

/** What a function under check answered: null where undefined, with the reason beside it. */
export interface Outcome {
  readonly value: unknown
  readonly reason: string | null
  /** What the reader of the check should know although the row passes. */
  readonly note?: string
}

/** Runs one named function of a vectors file on the inputs of a row; throws a ZodError for inputs of the wrong shape. */
export type VectorFunction = (inputs: unknown) => Outcome

/** Ties the name of a vectors file to the library: `schema` reads the row's inputs, `run` calls the function. */
export function vectorFunction<T>(schema: z.ZodType<T>, run: (inputs: T) => Outcome): VectorFunction {
  return inputs => run(schema.parse(inputs))
}

export const numbers = z.array(z.number())
export const labels = z.array(z.string())

export function plain(value: unknown, reason: string | null = null): Outcome {
  return { value, reason }
}

export function interval({ value, reason }: Estimate<Interval>): Outcome {
  return { value: bounds(value), reason }
}

export function bounds(value: Interval | null): readonly number[] | null {
  return value && [value.low, value.high]
}
