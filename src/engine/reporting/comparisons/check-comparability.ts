import type { ComparabilityCheck, ComparisonOptions } from '../../../contract/comparisons/comparisons.schemas.ts'
import type { FrozenProfile } from '../../../contract/quotes/quotes.schemas.ts'
import {
  generationDifference,
  modelRemark,
  outcomeRemark,
  promptDifference,
  settingsDifference,
  unpairedProfiles,
} from './describe-differences.ts'
import { isSameScoring, type Pairing } from './pair-profiles.ts'
import { isSameModel, type RunFrame } from './run-frame.ts'

type Check = ComparabilityCheck['check']

/** A reason why a comparison would mislead. */
export interface Refusal {
  /** Place of the contender among the runs, the baseline being 0. */
  readonly run: number
  readonly check: Check
  readonly message: string
}

export interface Comparability {
  readonly checks: readonly ComparabilityCheck[]
  readonly refusals: readonly Refusal[]
}

/** Two runs and what was found about them so far. */
interface Findings {
  readonly baseline: RunFrame
  readonly contender: RunFrame
  /** Records a check; without a remark it passed. */
  note(check: Check, profile: FrozenProfile | null, remark: string | null, passed: string): void
  refuse(check: Check, message: string): void
}

/**
 * What differs between the baseline and each contender, before any number is computed. Refused is what would pass a difference of
 * data, scorer or prompt off as one of models; the rest is named and left to the reader.
 * @param runs the baseline first
 */
export function checkComparability(runs: readonly RunFrame[], pairings: readonly Pairing[], options: ComparisonOptions): Comparability {
  const checks: ComparabilityCheck[] = []
  const refusals: Refusal[] = []
  const [baseline, ...contenders] = runs
  if (!baseline) return { checks, refusals }
  for (const [i, contender] of contenders.entries()) {
    const run = i + 1
    const findings: Findings = {
      baseline,
      contender,
      note: (check, profile, remark, passed) =>
        checks.push({
          check,
          contender_id: contender.asked,
          profile_id: profile?.profile_id ?? null,
          status: remark === null ? 'pass' : 'warn',
          detail: remark ?? passed,
        }),
      refuse: (check, message) => refusals.push({ run, check, message }),
    }
    checkRuns(findings, pairings, run)
    for (const pairing of pairings) checkPairing(findings, pairing, run, options)
  }
  return { checks, refusals }
}

function checkRuns({ baseline, contender, note, refuse }: Findings, pairings: readonly Pairing[], run: number): void {
  if (pairings.every(pairing => !pairing.counterparts[run])) {
    const sources = ({ profiles }: RunFrame) => [...new Set(profiles.map(profile => profile.source_ref))].join(', ')
    return refuse(
      'benchmark_version',
      `"${contender.name}" has no benchmark version in common with "${baseline.name}": ${sources(contender)} against ${sources(baseline)}.`,
    )
  }
  const { epochs } = baseline.execution
  const other = contender.execution.epochs
  note('benchmark_version', null, unpairedProfiles(baseline, contender, pairings, run), 'Both ran the same benchmark versions.')
  note(
    'epochs',
    null,
    epochs === other
      ? null
      : `"${baseline.name}" asked each task ${times(epochs)} and "${contender.name}" ${times(other)}; only the epochs that both have count.`,
    `Each task was run ${times(epochs)}.`,
  )
  note('model', null, modelRemark(baseline, contender), 'Two different models.')
  if (baseline.model.request_settings || contender.model.request_settings)
    note('generation', null, settingsDifference(baseline.model, contender.model), 'The request settings are the same.')
  note('outcome', null, outcomeRemark(baseline, contender), 'Both runs are complete.')
}

function checkPairing({ baseline, contender, note, refuse }: Findings, pairing: Pairing, run: number, options: ComparisonOptions): void {
  const { profile } = pairing
  const other = pairing.counterparts[run]
  if (!other) return
  if (other.version_digest !== profile.version_digest) {
    return refuse(
      'task_content',
      `${profile.source_ref} held other tasks in "${contender.name}" than in "${baseline.name}" (digests ${short(other.version_digest)} and ${short(profile.version_digest)}).`,
    )
  }
  note('task_content', profile, null, 'The tasks are the same, by digest.')
  const prompts = promptDifference({ profile, run: baseline }, { profile: other, run: contender })
  if (prompts !== null && !isSameModel(baseline.model, contender.model) && !options.accept_different_prompts) {
    refuse(
      'prompt',
      `${prompts} The models of "${baseline.name}" and "${contender.name}" differ too, so model and prompt effects can't be separated. Run one of them with the other's profile, or set options.accept_different_prompts.`,
    )
  } else {
    note('prompt', profile, prompts, 'The prompts are the same, by digest.')
  }
  checkScorers({ baseline, contender, note, refuse }, pairing, run)
  note('generation', profile, generationDifference(profile.generation, other.generation), 'The generation settings are the same.')
}

function checkScorers({ baseline, contender, note, refuse }: Findings, { profile, metrics, counterparts }: Pairing, run: number): void {
  const leftOut = metrics.filter(({ numbers }) => numbers[run] === null)
  const named = leftOut.map(({ metric }) => {
    const other = counterparts[run]?.metrics.find(candidate => candidate.id === metric.id)
    if (!other) return `${metric.id}, which only one of them has`
    return isSameScoring({ ...other, options: metric.options }, metric)
      ? `${metric.id}, by ${metric.scorer} with two sets of options`
      : `${metric.id}, by ${metric.scorer} version ${metric.scorer_version} and by ${other.scorer} version ${other.scorer_version}`
  })
  if (leftOut.some(({ metric }) => metric.primary)) {
    refuse(
      'scorer',
      `"${baseline.name}" and "${contender.name}" were scored in two ways on ${profile.profile_id}: ${named.join('; ')}. Score both with the same version.`,
    )
  } else {
    note(
      'scorer',
      profile,
      named.length ? `Left out, because it was scored in two ways: ${named.join('; ')}.` : null,
      'The scorers are the same.',
    )
  }
}

function times(n: number): string {
  return n === 1 ? 'once' : `${n} times`
}

function short(digest: string): string {
  return digest.slice(0, 12)
}
