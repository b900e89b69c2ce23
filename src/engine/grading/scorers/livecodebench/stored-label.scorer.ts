import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { judged, unscored } from '../verdict.ts'

const Recorded = z.object({ recorded: z.array(z.object({ output: z.string(), passed: z.boolean() })) })

export const storedLabel = defineScorer({
  id: 'livecodebench/stored_label',
  version: 1,
  title: 'LiveCodeBench recorded label',
  description: 'The label that was published with this very answer. Nothing is run; an answer that is not recorded gets no verdict.',
  options: z.strictObject({}),
  prepare: () => {
    return ({ output, metadata }) => {
      const known = Recorded.safeParse(metadata)
      if (!known.success) return unscored('The task holds no recorded answers.')
      const entry = known.data.recorded.find(candidate => candidate.output === output)
      if (!entry) return unscored('This answer is none of the recorded ones.')
      return judged(entry.passed, { answer: output, explanation: `Recorded as ${entry.passed ? 'passed' : 'failed'}.` })
    }
  },
})
