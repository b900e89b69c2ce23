import { z } from 'zod'

/** Classes of a score that has a value. */
export const VerdictClass = z.enum(['correct', 'wrong', 'partial'])

/** Classes of a score that has none, and so never counts as wrong. */
export const NoVerdictClass = z.enum(['unscored', 'provider_error', 'too_slow', 'refused'])

export const ScoreClass = z.enum([...VerdictClass.options, ...NoVerdictClass.options]).describe('`unscored` never counts as wrong.')
