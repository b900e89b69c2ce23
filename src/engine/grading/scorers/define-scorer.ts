import type { z } from 'zod'
import type { PreparedScorer, Scorer } from './scorer.ts'

interface Definition<Options> {
  readonly id: string
  readonly version: number
  readonly title: string
  readonly description: string
  readonly options: z.ZodType<Options>
  prepare(options: Options): PreparedScorer
}

/** A scorer from its `prepare`: scoring one output is preparing and calling once. */
export function defineScorer<Options>(definition: Definition<Options>): Scorer<Options> {
  return { ...definition, score: (input, options) => definition.prepare(options)(input) }
}
