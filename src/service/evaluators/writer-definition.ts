import type { JudgeDefinition, JudgeModel } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import { completeJudge } from '../../engine/grading/judges/judge-plan.ts'

/** A model that writes texts, in the form in which judges are called: their money, retries and records are the same. */
export function writer(model: JudgeModel): JudgeDefinition {
  return completeJudge({
    kind: 'model_graded',
    judges: [model],
    instructions: 'Write a text.',
    criteria: [],
    reference: 'none',
    votes: 1,
    combine: 'majority',
    explanation: 'before',
    mode: 'classification',
    menu: [
      { value: 'pass', meaning: '', passes: true },
      { value: 'fail', meaning: '', passes: false },
    ],
  })
}
