import type { Scorer } from '../scorer.ts'
import { ifevalLoose, ifevalStrict } from './ifeval.scorer.ts'

export const ifevalScorers: readonly Scorer[] = [ifevalStrict, ifevalLoose]
