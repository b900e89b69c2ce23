import { z } from 'zod'

/** What the model client measured of the one text, or of the one continuation. */
const Measured = z.object({ loglikelihoods: z.array(z.number()).length(1), greedy: z.array(z.boolean().nullable()).length(1) })

/** Null where the output holds no such measurement. */
export function measuredTextIn(output: string): { readonly likelihood: number; readonly isGreedy: boolean | null } | null {
  try {
    const { loglikelihoods, greedy } = Measured.parse(JSON.parse(output))
    return { likelihood: loglikelihoods[0] ?? Number.NaN, isGreedy: greedy[0] ?? null }
  } catch {
    return null
  }
}
