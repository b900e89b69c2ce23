import { expect, test } from 'vitest'
import { createSimulatedJudge } from '../../../../src/engine/execution/judging/simulated-judge.ts'
import { JudgeDefinition } from '../../../../src/contract/evaluators/evaluator-definition.schemas.ts'
import { buildJudgePrompt } from '../../../../src/engine/grading/judges/judge-prompt.ts'
import { judgeRequest } from '../../../../src/engine/execution/judging/judge-request.ts'

const definition = JudgeDefinition.parse({
  kind: 'model_graded',
  judges: [{ model: { kind: 'managed', route_id: 'assay/simulated-judge' } }],
  mode: 'classification',
  reference: 'expected',
  instructions: 'Does it say the same?',
  menu: [
    { value: 'same', meaning: 'It does.', passes: true },
    { value: 'other', meaning: 'It does not.', passes: false },
  ],
})

async function verdictOn(output: string, reference: string): Promise<string> {
  const prompt = buildJudgePrompt(
    definition,
    { judge: 0, vote: 0, criterion: null, order: 'ab' },
    { input: 'A question?', output, reference },
    () => 'a'.repeat(32),
  )
  const answer = await createSimulatedJudge().call(judgeRequest(definition, 0, prompt, { structured: false, sees: new Set() }), {
    signal: AbortSignal.abort(),
  })
  return answer.ok ? answer.output : answer.message
}

test('judges the fenced output by the words of the reference, in the words of the menu', async () => {
  expect(await verdictOn('Within 30 days, unworn.', '30 days, unworn')).toBe(
    'The output has 3 of the 3 words of the reference answer.\nVERDICT: same',
  )
  expect(await verdictOn('Ask us.', '30 days, unworn')).toMatch(/has 0 of the 3 words.*\nVERDICT: other$/)
})

test('takes a list inside the output for no menu', async () => {
  expect(await verdictOn('- 30 days\n- unworn', '30 days, unworn')).toMatch(/VERDICT: same$/)
})
