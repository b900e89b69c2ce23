import { z } from 'zod'
import { describeFirst } from '../../../../contract/describe-issue.ts'
import { LogError, parseLogJson } from '../foreign-log.ts'
import type { ToolReader } from './read-tool-results.ts'
import { recordedLog, type RecordedRow, rowsIn } from './recorded-rows.ts'

const Text = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const Case = z.looseObject({
  name: z.string().nullish(),
  input: Text,
  actualOutput: Text.nullish(),
  expectedOutput: Text.nullish(),
  success: z.boolean().nullish(),
  metricsData: z
    .array(z.looseObject({ name: z.string(), score: z.number().nullish(), success: z.boolean().nullish(), reason: z.string().nullish() }))
    .nullish(),
})
const Cases = z.looseObject({
  testCases: z.array(z.unknown()),
  conversationalTestCases: z.array(z.unknown()).nullish(),
  hyperparameters: z.record(z.string(), z.unknown()).nullish().catch(null),
})
const File = z.union([z.looseObject({ testRunData: Cases }).transform(({ testRunData }) => testRunData), Cases])

/** `.latest_test_run.json`: its cases with the score of each metric, and whether the case passed. */
export const deepeval: ToolReader = {
  tool: 'deepeval',
  matches: ({ head }) => /"testCases"\s*:/.test(head) && /"(?:actualOutput|metricsData|conversationalTestCases)"\s*:/.test(head),
  read: files =>
    files.map(({ name, bytes }) => {
      const parsed = File.safeParse(parseLogJson(bytes.toString('utf8'), name))
      if (!parsed.success)
        throw new LogError(
          `Send "${name}" as deepeval wrote it (.latest_test_run.json): in this file ${describeFirst(parsed.error.issues)}.`,
        )
      const { testCases, conversationalTestCases: conversations, hyperparameters } = parsed.data
      const left = conversations?.length ?? 0
      if (testCases.length === 0 && left > 0)
        throw new LogError(
          `Send a test run with single-turn cases (LLMTestCase): "${name}" holds conversations of deepeval alone, which aren’t imported.`,
        )
      const { rows: cases, left: unread } = rowsIn(Case, testCases, name, 'case')
      const model = z.string().safeParse(hyperparameters?.['model']).data ?? 'unknown model'
      const rows = cases.map((test, i): RecordedRow => {
        const metrics = test.metricsData ?? []
        return {
          id: `case-${String(i + 1).padStart(4, '0')}`,
          input: test.input.trim() === '' ? (test.name ?? `Case ${i + 1}`) : test.input,
          targets: test.expectedOutput == null ? [] : [test.expectedOutput],
          model,
          epoch: 1,
          output: test.actualOutput ?? null,
          scores: Object.fromEntries([
            ...(test.success == null ? [] : [['success', Number(test.success)] as const]),
            ...metrics.flatMap(({ name: metric, score }) => (score == null ? [] : [[metric, score] as const])),
          ]),
          reasons: Object.fromEntries(metrics.flatMap(({ name: metric, reason }) => (reason ? [[metric, reason] as const] : []))),
        }
      })
      return recordedLog('deepeval', 'deepeval', rows, [
        ...unread,
        ...(left === 0 ? [] : [`${left} ${left === 1 ? 'conversation' : 'conversations'} of the test run left out.`]),
      ])
    }),
}
