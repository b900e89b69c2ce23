import { z } from 'zod'
import type { Comparison, Difference, LabelDifference } from '../../../contract/comparisons/comparisons.schemas.ts'
import { Uuid } from '../../../contract/primitives.ts'
import { labelOfGroup, rounded, shareOf, shortInterval } from '../figures.ts'
import { defineTool, type ToolContext } from '../tool.ts'
import { taskIdRow, untrusted, untrustedRow } from '../untrusted.ts'

/** Tasks of each kind in an answer. */
const mostFlips = 10
const mostLabels = 40

export const compareRuns = defineTool({
  name: 'compare_runs',
  title: 'Compare runs',
  description:
    'Tests the paired difference of ended runs by task. `not_shown` is not “equal”: see minimum_detectable_difference. only=flips also lists tasks gained and lost.',
  effect: 'write',
  calls: ['createComparison'],
  alsoCalls: ['listComparedTasks'],
  input: z.strictObject({
    baseline: Uuid.describe('Run or evaluation that the others are compared with.'),
    candidates: z.array(Uuid).min(1).max(9),
    only: z.enum(['verdicts', 'flips', 'labels']).default('verdicts'),
  }),
  page: () => '/compare',
  run: async ({ baseline, candidates, only }, context) => {
    const comparison = await context.call('createComparison', {
      body: { name: `Comparison of ${candidates.length + 1} runs`, run_ids: [baseline, ...candidates], baseline_id: baseline },
    })
    const { headline, tasks, runs, differences, cautions, label_differences: labels = [] } = comparison
    return {
      comparison_id: comparison.id,
      tasks,
      runs: runs.map(({ id, baseline: isBaseline }) => ({ id, ...(isBaseline ? { baseline: true } : {}) })),
      differences: differences.filter(one => one.headline).map(describeDifference),
      other_differences: differences.filter(one => !one.headline).length,
      ...(only === 'flips' ? { flips: await flips(comparison, context) } : {}),
      ...(only === 'labels'
        ? { label_differences: labels.slice(0, mostLabels).map(describeLabel), more_on_page: labels.length > mostLabels }
        : { other_label_differences: labels.length }),
      ...untrusted({
        headline,
        labels: Object.fromEntries(runs.map(({ id, label }) => [id, label])),
        cautions: cautions.map(({ code, message }) => ({ code, message })),
      }),
      page: context.pageUrl(`/compare/${comparison.id}`),
    }
  },
})

function describeDifference(one: Difference): object {
  return {
    candidate: one.contender_id,
    ...untrustedRow({ metric: one.metric, title: one.metric_title }),
    verdict: one.verdict,
    n: one.n,
    baseline_mean: rounded(one.baseline_mean),
    candidate_mean: rounded(one.contender_mean),
    difference: rounded(one.difference),
    interval: one.interval && shortInterval(one.interval),
    p_adjusted: rounded(one.p_adjusted),
    wins: one.wins,
    losses: one.losses,
    ties: one.ties,
    minimum_detectable_difference: rounded(one.minimum_detectable_difference),
    ...(one.reason === null ? {} : { reason: one.reason }),
    ...(one.cautions.length ? { cautions: one.cautions } : {}),
  }
}

function describeLabel(one: LabelDifference): object {
  return {
    candidate: one.contender_id,
    ...untrustedRow({ metric: one.metric, ...labelOfGroup(one) }),
    n: one.n,
    baseline_share: shareOf(one.baseline),
    candidate_share: shareOf(one.contender),
    difference: rounded(one.difference),
    interval: one.interval && shortInterval(one.interval),
    p_adjusted: rounded(one.p_adjusted),
    ...(one.reason === null ? {} : { reason: one.reason }),
  }
}

async function flips({ id }: Comparison, { call }: ToolContext<'listComparedTasks'>): Promise<object> {
  const list = async (change: 'gained' | 'lost') => {
    const page = await call('listComparedTasks', { params: { comparison_id: id }, query: { change, limit: mostFlips } })
    return {
      tasks: page.items.map(({ task_id: taskId, outcomes }) => ({ ...taskIdRow(taskId), sample_ids: outcomes.map(one => one.sample_id) })),
      more_on_page: page.next_cursor !== null,
    }
  }
  const [gained, lost] = await Promise.all([list('gained'), list('lost')])
  return { gained, lost }
}
