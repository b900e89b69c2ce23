import type { Rates } from '../contract/catalog/models.schemas.ts'
import type { FrozenProfile } from '../contract/quotes/quotes.schemas.ts'
import type { ReleaseRule } from '../contract/releases/rules.schemas.ts'
import type { ResolvedSelection } from '../contract/suites/suites.schemas.ts'
import { isCharged, priceOf, tokenRates } from '../engine/clients/pricing/pricing.ts'
import { collectColumns, type RunSamples } from '../engine/reporting/releases/collect-columns.ts'
import { type Decided, decideRelease } from '../engine/reporting/releases/decide.ts'
import type { Confirmation, DecisionFigures, ExternalFigures, GroupColumns, OtherFacts } from '../engine/reporting/releases/figures.ts'
import { stageOf } from '../engine/reporting/releases/stages.ts'
import type { Database } from '../storage/database.ts'
import { readComparisonSamples } from '../storage/reads/comparison-samples.ts'
import { releaseSelections } from '../storage/reads/release-selections.ts'
import { openReader } from './database-path.ts'

/** A run at the result version that the decision reads. */
export interface RunToRead {
  readonly runId: string
  readonly resultVersion: number
  readonly profiles: readonly FrozenProfile[]
  readonly rates: Rates | null
}

export interface SideRuns {
  readonly candidate: readonly RunToRead[]
  /** Null where the decision has no baseline. */
  readonly baseline: readonly RunToRead[] | null
}

export interface ReleaseQuestion {
  readonly suiteVersionId: string
  readonly groups: readonly {
    readonly key: string
    readonly weight: number
    readonly critical: boolean
    readonly clusterBy: string | null
    readonly capabilities: readonly string[]
    readonly runs: SideRuns
    /** Runs of new answers to suspects; null: not asked. */
    readonly confirm: SideRuns | null
  }[]
  readonly seed: number
  readonly rules: readonly ReleaseRule[]
  readonly alpha: number
  readonly looks: number
  readonly look: number
  readonly external: readonly ExternalFigures[]
  readonly facts: Omit<OtherFacts, 'capabilities'>
  readonly now: string
}

export interface ReleaseAnswer extends Decided {
  readonly tasks: number
}

/** Analyzes a release decision, reading its samples here, where no request waits for them. */
export default function analyzeRelease(question: ReleaseQuestion): ReleaseAnswer {
  const db = openReader()
  try {
    const { rules, looks, look, seed } = question
    const metrics = [...new Set(['', ...rules.flatMap(({ metric }) => (metric === null ? [] : [metric]))])]
    const selections = releaseSelections(db, question.suiteVersionId)
    const collect = (i: number, runs: SideRuns, asked: readonly ResolvedSelection[]): GroupColumns => {
      const { key, weight, critical, clusterBy } = question.groups[i] ?? missing(i)
      const { candidate, baseline } = runs
      return collectColumns(
        {
          key,
          weight,
          critical,
          clusterBy,
          selections: asked,
          candidate: candidate.map(run => open(db, run)),
          baseline: baseline && baseline.map(run => open(db, run)),
        },
        metrics,
      )
    }
    const groups = question.groups.map((group, i) => collect(i, group.runs, stageOf(selections[i] ?? [], { seed, looks }, 1, look)))
    const confirmed = question.groups.some(({ confirm }) => confirm !== null)
    const confirmations = question.groups.flatMap(({ confirm }, i) =>
      confirm === null ? [] : majorities(collect(i, confirm, selections[i] ?? []), metrics),
    )
    const figures: DecisionFigures = {
      rules,
      alpha: question.alpha,
      looks,
      look,
      groups,
      confirmations: confirmed ? confirmations : null,
      external: question.external,
      facts: { ...question.facts, capabilities: coveredCapabilities(question, groups) },
      now: question.now,
    }
    return { ...decideRelease(figures), tasks: groups.reduce((sum, { tasks }) => sum + tasks.length, 0) }
  } finally {
    db.close()
  }
}

function missing(i: number): never {
  throw new RangeError(`The suite has no group ${i}.`)
}

function open(db: Database, { runId, resultVersion, profiles, rates }: RunToRead): RunSamples {
  const known = tokenRates(rates)
  return {
    profiles,
    samples: readComparisonSamples(db, runId, resultVersion),
    costOf: known && (isCharged(known) ? tokens => (tokens === null ? null : Number(priceOf(tokens, known))) : () => 0),
  }
}

/** Whether more than half of a task's new answers pass, by each metric. */
function majorities({ key, tasks, candidate, baseline }: GroupColumns, metrics: readonly string[]): Confirmation[] {
  const passes = (value: number | undefined): boolean | null => (value === undefined || Number.isNaN(value) ? null : value > 0.5)
  return metrics.flatMap(metric =>
    tasks.map((task, i) => ({
      group: key,
      metric,
      task,
      candidatePasses: passes(candidate.values[metric]?.[i]),
      baselinePasses: passes(baseline?.values[metric]?.[i]),
    })),
  )
}

function coveredCapabilities(question: ReleaseQuestion, groups: readonly GroupColumns[]): OtherFacts['capabilities'] {
  const graded = (values: Float64Array | undefined) => values?.some(value => !Number.isNaN(value)) ?? false
  const named = new Set(question.groups.flatMap(({ capabilities }) => capabilities))
  const covered = new Set(
    question.groups.flatMap(({ capabilities }, i) => {
      const group = groups[i]
      const isGraded = group && graded(group.candidate.values['']) && (group.baseline === null || graded(group.baseline.values['']))
      return isGraded ? capabilities : []
    }),
  )
  return { named: named.size, covered: covered.size }
}
