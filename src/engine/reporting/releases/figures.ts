import type { ReleaseRule } from '../../../contract/releases/rules.schemas.ts'

/** One side's tasks of a group, column by column; NaN where a task has no value. */
export interface SideColumns {
  /** By metric name, `''` for the primary: the mean over a task's scored epochs. */
  readonly values: Readonly<Record<string, Float64Array>>
  /** Metrics whose values are 0 or 1 on every scored sample. */
  readonly binary: readonly string[]
  /** 1 where a sample of the task failed. */
  readonly failed: Uint8Array
  /** Micro-USD per answer of the task; NaN where rates or tokens are unknown. */
  readonly cost: Float64Array
  /** Milliseconds of the task's first answer; infinite for a timeout, NaN where there was none. */
  readonly latency: Float64Array
}

export interface GroupColumns {
  readonly key: string
  readonly weight: number
  readonly critical: boolean
  /** Names for messages, by place in the columns. */
  readonly tasks: readonly string[]
  /** Cluster of each task; null where tasks are independent. */
  readonly clusters: readonly string[] | null
  readonly candidate: SideColumns
  readonly baseline: SideColumns | null
}

/** Majorities of new answers to a critical task that the baseline passed and the candidate failed. */
export interface Confirmation {
  readonly group: string
  /** `''` for the primary. */
  readonly metric: string
  readonly task: string
  readonly candidatePasses: boolean | null
  readonly baselinePasses: boolean | null
}

/** Figures that evidence from elsewhere gives for one side and group. */
export interface ExternalFigures {
  readonly side: 'candidate' | 'baseline'
  /** Null: the whole suite. */
  readonly group: string | null
  /** Null: whatever the rule asks. */
  readonly metric: string | null
  readonly n: number
  readonly estimate: number
  readonly standardError: number | null
  /** Values per task, where the evidence has them. */
  readonly values: Readonly<Record<string, number>> | null
  /** Model or provider that the evidence names; null where it names none. */
  readonly label: string | null
  /** Who confirmed that a label of another name is this side; null where none had to. */
  readonly confirmedBy: string | null
}

/** A pinned calibration of a judge. */
export interface CalibrationFacts {
  readonly name: string
  readonly evaluatorVersionId: string
  readonly kappaLower: number | null
  readonly n: number
  /** RFC 3339. */
  readonly at: string
}

/** Shares and counts that other parts of the feature know. */
export interface OtherFacts {
  /** Evaluator versions that judged the candidate's samples. */
  readonly judges: readonly string[]
  readonly calibrations: readonly CalibrationFacts[]
  /** The candidate's samples that people have labeled, by group. */
  readonly labels: Readonly<Record<string, number>>
  /** Capabilities that the suite names, and those of them with a graded task on every side. */
  readonly capabilities: { readonly named: number; readonly covered: number }
  /** Open critical issues, and those of them with a task in the suite. */
  readonly criticalIssues: { readonly open: number; readonly covered: number }
  /** Open issues by severity. */
  readonly issues: Readonly<Record<'critical' | 'high' | 'medium' | 'low', number>>
}

/** Everything that a recommendation follows from. */
export interface DecisionFigures {
  readonly rules: readonly ReleaseRule[]
  /** One-sided error of this attempt over all its looks. */
  readonly alpha: number
  /** Planned looks, and which one this is, from 1. */
  readonly looks: number
  readonly look: number
  readonly groups: readonly GroupColumns[]
  /** Null: not asked yet. */
  readonly confirmations: readonly Confirmation[] | null
  readonly external: readonly ExternalFigures[]
  readonly facts: OtherFacts
  /** RFC 3339; the present time, for ages. */
  readonly now: string
}
