import { defineScorer } from '../define-scorer.ts'
import { unscored } from '../verdict.ts'
import { checkLeaf, gradeCase, leavesOf, metricOption, noAssertions, TestCase } from './case.ts'

export const testCase = defineScorer({
  id: 'promptfoo/test',
  version: 6,
  title: 'promptfoo test case',
  description:
    "All assertions of a task together, as in promptfoo: the score is their weighted mean, and the case passes when each does, or when the score reaches the case's threshold. Latency and cost are those of the answer.",
  options: metricOption.extend({
    /** In place of those in the task's metadata. */
    test: TestCase.pick({ assertions: true, threshold: true }).exactOptional(),
  }),
  prepare({ metric, test }) {
    return ({ output, metadata, measured }) => {
      const parsed = TestCase.safeParse(test ?? metadata)
      if (!parsed.success) return unscored(noAssertions)
      const results = leavesOf(parsed.data.assertions).map(leaf => checkLeaf(leaf, output, measured))
      return gradeCase(parsed.data, output, results, metric)
    }
  },
})
