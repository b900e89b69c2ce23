import type { MetricEvaluator } from '../../../contract/catalog/benchmarks.schemas.ts'
import type { ComparabilityCheck, ComparisonCaution, Difference } from '../../../contract/comparisons/comparisons.schemas.ts'
import type { Results } from '../../../contract/runs/results.schemas.ts'
import { nameAll } from '../../../lib/format/name-few.ts'
import { formatCount } from '../../../lib/format/numbers.ts'
import { formatPercent } from '../../../lib/format/percent.ts'

/** Below this many tasks most differences between models would be missed. */
const fewTasks = 100
/** Below this share of either run's tasks, the common ones may be unlike the rest. */
const smallOverlap = 0.5
/** Codes of cautions whose sentences do not say which runs they are about. */
const nameless = new Set(['few_tasks', 'missing_scores', 'statistics', 'prompt', 'generation', 'scorer'])

/** How many tasks a contender and the baseline share. */
export interface Overlap {
  readonly contenderId: string
  readonly label: string
  readonly baselineTasks: number
  readonly contenderTasks: number
  /** Tasks that both were frozen with. */
  readonly shared: number
  /** Shared tasks that only one of them has a score for. */
  readonly scoredByOne: number
}

/** A run whose score is not what it seems: of chosen tasks, of another model, of prompts that were cut. */
export interface BiasedRun {
  /** Null for the baseline. */
  readonly contenderId: string | null
  readonly label: string
  readonly biases: Results['notices']
}

/**
 * What a reader must know before quoting the comparison: every check that warned, then what the figures themselves call for.
 * @param facts.evaluators behind the metrics that are compared
 */
export function findCautions(
  checks: readonly ComparabilityCheck[],
  overlaps: readonly Overlap[],
  differences: readonly Difference[],
  { evaluators = [], biased = [] }: { readonly evaluators?: readonly MetricEvaluator[]; readonly biased?: readonly BiasedRun[] } = {},
): ComparisonCaution[] {
  const headlines = differences.filter(difference => difference.headline)
  const tests = differences.filter(({ tested, p }) => tested && p !== null).length
  const pooled = differences.some(difference => difference.profile_id === null)
  const ofContenders = [
    ...checks
      .filter(({ status }) => status === 'warn')
      .map(({ check, contender_id, detail }) => ({ code: check, contender_id, message: detail })),
    ...overlaps.flatMap(ofOverlap),
    ...headlines.flatMap(({ n, contender_id, cautions }) => [
      ...(n < fewTasks
        ? [{ code: 'few_tasks', contender_id, message: `Only ${formatCount(n)} tasks: all but large differences would be missed.` }]
        : []),
      ...cautions.map(message => ({ code: 'statistics', contender_id, message })),
    ]),
  ]
  return saidOnce([
    ...biased.flatMap(ofBias),
    ...ofWhom(ofContenders, overlaps),
    ...evaluators.map(({ name, version, statement, self_preference: caution }) => ({
      code: 'evaluator',
      contender_id: null,
      message: `“${name}”, version ${version}: ${statement}.${caution === null ? '' : ` ${caution}.`}`,
    })),
    ...(tests > 1
      ? [
          {
            code: 'many_tests',
            contender_id: null,
            message: `${tests} differences were tested: p-values are adjusted by Holm's method, and each interval is drawn at the level of its step, which is stated beside it, so that it agrees with its verdict.`,
          },
        ]
      : []),
    ...(pooled
      ? [
          {
            code: 'mixed_profiles',
            contender_id: null,
            message: 'The headline takes several profiles together, each task counting alike: a profile with many tasks weighs most.',
          },
        ]
      : []),
  ])
}

/** Names the contenders that a caution is about, where it is not about all of them. */
function ofWhom(cautions: readonly ComparisonCaution[], contenders: readonly Overlap[]): ComparisonCaution[] {
  const about = Map.groupBy(cautions, ({ message }) => message)
  return cautions.map(caution => {
    const same = about.get(caution.message)?.map(({ contender_id }) => contender_id) ?? []
    const labels = contenders.filter(({ contenderId }) => same.includes(contenderId)).map(({ label }) => label)
    const isPlain = labels.length === contenders.length || !nameless.has(caution.code)
    return isPlain ? caution : { ...caution, message: `${nameAll(labels)}: ${caution.message}` }
  })
}

/** What is true of several contenders in the same words, of the baseline say, is said once and of none of them. */
function saidOnce(cautions: readonly ComparisonCaution[]): ComparisonCaution[] {
  const groups = Map.groupBy(cautions, ({ code, message }) => `${code} ${message}`)
  return [...groups.values()].flatMap(([first, second]) => (first ? [second ? { ...first, contender_id: null } : first] : []))
}

function ofBias({ contenderId, label, biases }: BiasedRun): ComparisonCaution[] {
  return biases.map(({ code, message }) => ({
    code,
    contender_id: contenderId,
    message: `${label}: ${message} Differences from it are biased in the same way.`,
  }))
}

function ofOverlap({ contenderId, label, baselineTasks, contenderTasks, shared, scoredByOne }: Overlap): ComparisonCaution[] {
  const share = shared / Math.max(baselineTasks, contenderTasks)
  const caution = (code: string, message: string) => ({ code, contender_id: contenderId, message })
  return [
    ...(share < 1
      ? [
          caution(
            share < smallOverlap ? 'small_overlap' : 'different_coverage',
            `${formatCount(shared)} tasks are common to the baseline (${formatCount(baselineTasks)}) and ${label} (${formatCount(contenderTasks)})${share < smallOverlap ? `, ${formatPercent(share, 0)} of the larger: the rest may be unlike them` : '; the others are left out'}.`,
          ),
        ]
      : []),
    ...(scoredByOne > 0
      ? [
          caution(
            'missing_scores',
            `${formatCount(scoredByOne)} common ${scoredByOne === 1 ? 'task has' : 'tasks have'} a score in only one of the runs and ${scoredByOne === 1 ? 'is' : 'are'} left out; if failing goes with being hard, that favors the run that failed.`,
          ),
        ]
      : []),
  ]
}
