import {
  type JudgeDefinition,
  JudgeDefinition as JudgeSchema,
} from '../../../../../src/contract/evaluators/evaluator-definition.schemas.ts'
import { completeJudge } from '../../../../../src/engine/grading/judges/judge-plan.ts'
import { type JudgeAnswer, judgeOutput, type JudgeQuestion } from '../../../../../src/engine/grading/judges/judge-output.ts'
import { parseVerdict } from '../../../../../src/engine/grading/judges/parse-verdict.ts'
import type { JudgedMaterial } from '../../../../../src/engine/grading/judges/judge-plan.ts'

export const anyModel = { model: { kind: 'connection' as const, connection_id: '0190c4f0-0000-7000-8000-000000000001' } }

/** A complete definition: pass or fail unless changed. */
export function judgeWith(change: Record<string, unknown> = {}): JudgeDefinition {
  return completeJudge(
    JudgeSchema.parse({
      kind: 'model_graded',
      judges: [anyModel],
      mode: 'classification',
      instructions: 'Is it right?',
      menu: [
        { value: 'pass', passes: true },
        { value: 'fail', passes: false },
      ],
      ...change,
    }),
  )
}

/** Judges with scripted replies; answers what was asked too. */
export async function judgeBy(judge: JudgeDefinition, material: JudgedMaterial, reply: (question: JudgeQuestion) => JudgeAnswer | string) {
  const questions: JudgeQuestion[] = []
  let drawn = 0
  const judged = await judgeOutput(judge, material, {
    boundary: () => `boundary-${drawn++}`,
    read: () => {},
    parse: async (reply, boundary) => parseVerdict(judge, reply, boundary),
    ask: async question => {
      questions.push(question)
      const said = reply(question)
      return typeof said === 'string' ? { ok: true, text: said, structured: null } : said
    },
  })
  return { ...judged, questions }
}

export const single: JudgedMaterial = { input: 'What is 2 + 2?', output: '4', reference: 'four' }
export const pair: JudgedMaterial = { input: 'Say hello.', output: { a: 'Hello!', b: 'Go away.' }, reference: null }
