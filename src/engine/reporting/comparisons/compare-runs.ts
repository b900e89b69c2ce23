import { profileName } from '../../../lib/format/benchmark-names.ts'
import type { MetricEvaluator } from '../../../contract/catalog/benchmarks.schemas.ts'
import type { ComparedRun, Comparison, ComparisonOptions } from '../../../contract/comparisons/comparisons.schemas.ts'
import { type AlignedPairing, alignSamples, type SampleFacts } from './align-samples.ts'
import { type AlignedTasks, statusCode } from './aligned-tasks.ts'
import { adjustForExploring } from './break-down.ts'
import { checkComparability, type Refusal } from './check-comparability.ts'
import { gatherCommonTasks } from './common-tasks.ts'
import { findCautions, type Overlap } from './find-cautions.ts'
import { judgeDifferences } from './judge-differences.ts'
import { measureContender, type MeasuredContender } from './measure-contender.ts'
import { pairProfiles, type Pairing } from './pair-profiles.ts'
import { taskMeans } from './paired-values.ts'
import { describeWindow, withinDates } from './date-window.ts'
import { labelRuns, type RunFrame } from './run-frame.ts'
import { withSecondViews } from './second-views.ts'
import { weighTradeOff } from './trade-off.ts'
import { describeHeadline, describeVerdict } from './word-verdict.ts'

export interface ComparisonQuestion {
  /** The baseline first; 2 to 10. */
  readonly runs: readonly RunFrame[]
  readonly seed: number
  readonly options: ComparisonOptions
}

/** Everything about a comparison that is computed. */
export type ComputedComparison = Omit<Comparison, 'id' | 'name' | 'created_at' | 'digest' | 'app_version'>

export type ComparisonOutcome =
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] }
  | { readonly kind: 'compared'; readonly computed: ComputedComparison; readonly tasks: AlignedTasks }

/** Compares runs sample by sample. The same samples, seed and options give the same outcome. */
export function compareRuns(
  { runs, seed, options }: ComparisonQuestion,
  samplesOf: (run: RunFrame) => Iterable<SampleFacts>,
): ComparisonOutcome {
  const [baseline] = runs
  if (!baseline) throw new RangeError('A comparison needs a baseline.')
  const paired = pairProfiles(runs)
  const { checks, refusals } = checkComparability(runs, paired, options)
  if (refusals.length > 0) return { kind: 'refused', refusals }

  const aligned = alignSamples(
    paired,
    runs.map(run => withinDates(samplesOf(run), options)),
  )
  const labels = labelRuns(runs)
  const label = (run: number) => labels[run] ?? ''
  const measured = runs.slice(1).map((run, i) => measureContender(aligned, i + 1, run.asked, { options, seed }))
  const nothingShared = measured.flatMap(({ differences }, i): Refusal[] =>
    differences.some(({ facts, values }) => facts.headline && values.contender.length > 0)
      ? []
      : [
          {
            run: i + 1,
            check: 'coverage',
            message: `No task${describeWindow(options)} has a score in both "${baseline.name}" and "${runs[i + 1]?.name ?? ''}".`,
          },
        ],
  )
  if (nothingShared.length > 0) return { kind: 'refused', refusals: nothingShared }

  const unjudged = measured.flatMap(contender => contender.differences)
  const differences = judgeDifferences(unjudged, options.level, seed).map((difference, i) => {
    const values = unjudged[i]?.values
    return values ? withSecondViews(difference, values, options.level, seed) : difference
  })
  const tests = differences.filter(({ tested, p }) => tested && p !== null).length
  const headlines = differences
    .filter(({ headline }) => headline)
    .map((difference, i) => ({ difference, label: label(i + 1), text: describeVerdict(difference, label(i + 1), label(0), tests) }))
  const common = gatherCommonTasks(aligned, runs.length, options.cluster_by)
  const means = aligned.map(pairing => runs.map((_, run) => taskMeans(pairing, pairing.pairing.primary, run)))
  const overlaps = runs.slice(1).map((run, i) => overlapOf(aligned, means, i + 1, run.asked, label(i + 1)))
  const labelsGiven = measured.flatMap(({ labels }) => adjusted(labels))
  return {
    kind: 'compared',
    tasks: columnsOf(aligned, means, measured, runs.length),
    computed: {
      headline: describeHeadline(headlines, label(0)),
      seed,
      options,
      runs: runs.map((run, no) => describeRun(run, no, label(no), aligned, means)),
      tasks: { total: aligned.reduce((sum, { tasks }) => sum + tasks.length, 0), common: common.values[0]?.length ?? 0 },
      profiles: paired.map(({ profile, metrics, primary }) => ({
        profile_id: profile.profile_id,
        title: profileName(profile),
        source_ref: profile.source_ref,
        split: profile.split,
        metric: metrics[primary]?.metric.id ?? '',
        metric_title: metrics[primary]?.metric.title ?? '',
      })),
      checks: [...checks],
      verdicts: headlines.map(({ difference, text }) => ({ contender_id: difference.contender_id, verdict: difference.verdict, text })),
      differences,
      breakdowns: measured.flatMap(({ breakdowns }) => adjusted(breakdowns)),
      ...(labelsGiven.length > 0 && { label_differences: labelsGiven }),
      trade_off: weighTradeOff(runs, aligned, common, options.level, seed),
      cautions: findCautions(checks, overlaps, differences, {
        evaluators: evaluatorsIn(paired),
        biased: runs.map(({ asked, biases }, no) => ({ contenderId: no === 0 ? null : asked, label: label(no), biases })),
      }),
    },
  }
}

function adjusted<Part extends { readonly p: number | null }>(parts: readonly Part[]): (Part & { readonly p_adjusted: number | null })[] {
  const values = adjustForExploring(parts)
  return parts.map((part, i) => ({ ...part, p_adjusted: values[i] ?? null }))
}

/** Means of the primary metric: by pairing, run and task. */
type TaskMeans = readonly (readonly Float64Array[])[]

function has(aligned: AlignedPairing, run: number, task: number): boolean {
  return (aligned.runs[run]?.positions[task] ?? -1) >= 0
}

function describeRun(run: RunFrame, no: number, label: string, aligned: readonly AlignedPairing[], means: TaskMeans): ComparedRun {
  return {
    id: run.asked,
    kind: run.kind,
    run_id: run.runId,
    result_version: run.resultVersion,
    samples_digest: run.samplesDigest,
    baseline: no === 0,
    name: run.name,
    label,
    model: run.model,
    status: run.status,
    tasks: aligned.reduce((sum, pairing) => sum + pairing.tasks.filter((_, task) => has(pairing, no, task)).length, 0),
    scored_tasks: means.reduce((sum, runs) => sum + (runs[no] ?? new Float64Array()).filter(value => !Number.isNaN(value)).length, 0),
  }
}

/** Over the profiles that both have. */
function overlapOf(pairings: readonly AlignedPairing[], means: TaskMeans, run: number, contenderId: string, label: string): Overlap {
  const counts = { baselineTasks: 0, contenderTasks: 0, shared: 0, scoredByOne: 0 }
  for (const [i, aligned] of pairings.entries()) {
    if (!aligned.pairing.counterparts[run]) continue
    for (const task of aligned.tasks.keys()) {
      const [inBaseline, inContender] = [has(aligned, 0, task), has(aligned, run, task)]
      if (inBaseline) counts.baselineTasks++
      if (inContender) counts.contenderTasks++
      if (!inBaseline || !inContender) continue
      counts.shared++
      const unscored = (no: number) => Number.isNaN(means[i]?.[no]?.[task] ?? Number.NaN)
      if (unscored(0) !== unscored(run)) counts.scoredByOne++
    }
  }
  return { contenderId, label, ...counts }
}

/** The tasks of all pairings, one after another. */
function columnsOf(
  aligned: readonly AlignedPairing[],
  means: TaskMeans,
  measured: readonly MeasuredContender[],
  runs: number,
): AlignedTasks {
  const everyRun = <Column>(column: (run: number) => Column) => Array.from({ length: runs }, (_, run) => column(run))
  return {
    count: aligned.reduce((sum, { tasks }) => sum + tasks.length, 0),
    taskNo: Uint32Array.from(aligned.flatMap(({ tasks }) => tasks.map(task => task.no))),
    profile: Uint8Array.from(aligned.flatMap(({ tasks }, no) => tasks.map(() => no))),
    values: everyRun(run => Float64Array.from(means.flatMap(pairing => Array.from(pairing[run] ?? [])))),
    positions: everyRun(run => Int32Array.from(aligned.flatMap(pairing => pairing.runs[run]?.positions ?? []))),
    statuses: everyRun(run => Uint8Array.from(aligned.flatMap(pairing => (pairing.runs[run]?.statuses ?? []).map(statusCode)))),
    changes: measured.map(({ changes }) => Uint8Array.from(changes.flatMap(codes => Array.from(codes)))),
  }
}

/** Evaluators behind metrics that both sides have, each once, with the caution of any run whose model its judge is related to. */
function evaluatorsIn(paired: readonly Pairing[]): MetricEvaluator[] {
  const found = new Map<string, MetricEvaluator>()
  for (const { metrics, counterparts } of paired) {
    for (const { metric, numbers } of metrics) {
      if (!metric.evaluator || numbers.every(no => no === null)) continue
      const ofRuns = numbers.flatMap((no, run) => (no === null ? [] : (counterparts[run]?.metrics[no]?.evaluator ?? [])))
      for (const evaluator of [metric.evaluator, ...ofRuns]) {
        const known = found.get(evaluator.evaluator_version_id)
        const caution = known?.self_preference ?? evaluator.self_preference
        found.set(evaluator.evaluator_version_id, { ...(known ?? evaluator), self_preference: caution })
      }
    }
  }
  return [...found.values()]
}
