import { instructionScorer } from '../ifeval/ifeval.scorer.ts'
import { looseVariants, strictVariants } from '../ifeval/variants.ts'
import { ifbenchInstructions } from './instructions.ts'

export const ifbenchScorers = [
  instructionScorer(
    { id: 'ifbench/strict', version: 1, set: 'IFBench', name: 'strict', reading: 'the response as it is' },
    ifbenchInstructions,
    strictVariants,
  ),
  instructionScorer(
    { id: 'ifbench/loose', version: 1, set: 'IFBench', name: 'loose', reading: 'any of eight trimmed readings of the response' },
    ifbenchInstructions,
    looseVariants,
  ),
]
