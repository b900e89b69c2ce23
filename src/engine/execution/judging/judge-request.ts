import type { JudgeDefinition } from '../../../contract/index.ts'
import type { ModelRequest } from '../../clients/model-client.ts'
import type { JudgePrompt } from '../../grading/judges/judge-prompt.ts'

/** A judge that reasons spends most of its tokens before it says anything. */
const tokensWithEffort = 8192
const tokensWithReasons = 2048
const tokensForVerdict = 512

export const verdictTool = 'give_verdict'

/** Output tokens that one judge may use for one reply. */
export function judgeOutputLimit({ explanation }: JudgeDefinition, effort: JudgeDefinition['judges'][number]['effort']): number {
  if (effort !== null && effort !== 'none') return tokensWithEffort
  return explanation === 'none' ? tokensForVerdict : tokensWithReasons
}

/** @param structured whether the endpoint has proved that it calls tools, so that the verdict can be asked as structured output */
export function judgeRequest(definition: JudgeDefinition, judgeNo: number, { messages }: JudgePrompt, structured: boolean): ModelRequest {
  const judge = definition.judges[judgeNo]
  if (!judge) throw new RangeError(`There is no judge ${judgeNo}.`)
  return {
    messages,
    temperature: judge.temperature,
    maxOutputTokens: judgeOutputLimit(definition, judge.effort),
    stop: [],
    ...(judge.effort && { effort: judge.effort }),
    ...(structured && {
      tools: [
        {
          name: verdictTool,
          description: 'Gives the verdict. Use it instead of writing the VERDICT line.',
          parameters: [
            { name: 'reason', type: 'string', description: 'The reasons in a few sentences.' },
            { name: 'verdict', type: 'string', description: 'One of the verdicts.', values: definition.menu.map(({ value }) => value) },
          ],
        },
      ],
    }),
  }
}
