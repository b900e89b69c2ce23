import { jobCancelled } from '../../contract/jobs/jobs.schemas.ts'
import type { Calibration, Draft } from '../../contract/evaluators/calibrations.schemas.ts'
import type { EvaluatorDefinition } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import type { CalibrationRef } from '../../contract/evaluators/evaluators.schemas.ts'
import type { RemoteScorer } from '../../contract/evaluators/remote-scorers.schemas.ts'
import { orCancelled, type Status, type Tone } from '../ui/values/statuses.ts'

export const kindWords: Readonly<Record<EvaluatorDefinition['kind'], string>> = {
  deterministic: 'Deterministic',
  model_graded: 'Judge',
  embedding: 'Embeddings',
  remote: 'Remote scorer',
  composite: 'Composite',
}

export const swapRuleWords = {
  tie: 'Count as a tie',
  consistent: 'Stay unscored',
  average: 'Count as their mean',
  judgebench: 'As in JudgeBench: a verdict and a tie count as the verdict',
} as const

export const referenceWords = {
  none: 'Not shown to the judge',
  expected: 'Shown; outputs without one are unscored',
  if_given: 'Shown if there is one',
} as const

export const measureWords = {
  cosine: 'Cosine similarity',
  dot: 'Dot product',
  euclidean: 'Euclidean distance',
} as const

export const modeWords = {
  classification: 'Classification',
  rubric: 'Rubric',
  score: 'Score',
  pairwise: 'Pairwise',
} as const

export const verdictStatuses: Readonly<Record<NonNullable<Calibration['verdict']>, Status>> = {
  usable: { word: 'Usable', tone: 'pass' },
  weak: { word: 'Weak', tone: 'warn' },
  uninformative: { word: 'Uninformative', tone: 'fail' },
}

export const calibrationStatuses: Readonly<Record<Calibration['status'], Status>> = {
  pending: { word: 'Waiting', tone: 'neutral' },
  running: { word: 'Running', tone: 'running' },
  resolved: { word: 'Complete', tone: 'pass' },
  failed: { word: 'Failed', tone: 'fail' },
}

export const draftStatuses: Readonly<Record<Draft['status'], Status>> = {
  queued: { word: 'Waiting', tone: 'neutral' },
  running: { word: 'Running', tone: 'running' },
  ready: { word: 'Ready', tone: 'pass' },
  failed: { word: 'Failed', tone: 'fail' },
}

/** The notice of work that ended without a result. */
export function endNotice(what: string, cause: { readonly code: string }): { readonly tone: Tone; readonly title: string } {
  const { word, tone } = orCancelled({ word: 'Failed', tone: 'fail' }, cause)
  return { tone, title: `${what} ${word.toLowerCase()}` }
}

/** Why work ended without a result; null where somebody cancelled it, which its status says. */
export function whyEnded(cause: { readonly message: string } | null): string | null {
  return cause === null || cause.message === jobCancelled ? null : cause.message
}

export const scorerStatuses: Readonly<Record<RemoteScorer['status'], Status>> = {
  active: { word: 'Active', tone: 'pass' },
  disabled: { word: 'Disabled', tone: 'neutral' },
}

export function calibrationStatus({ status, verdict }: CalibrationRef): Status {
  if (status === 'none') return { word: 'Not calibrated', tone: 'neutral' }
  if (status === 'stale') return { word: 'Stale', tone: 'warn' }
  return verdict ? verdictStatuses[verdict] : { word: 'Calibrated', tone: 'pass' }
}

/** A definition in a few words: which scorer, which kind of judge. */
export function describeDefinition(definition: EvaluatorDefinition, nameOf: (scorer: string) => string): string {
  switch (definition.kind) {
    case 'deterministic':
      return nameOf(definition.scorer)
    case 'model_graded':
      return `${modeWords[definition.mode]}, ${definition.judges.length === 1 ? '1 judge' : `${definition.judges.length} judges`}${definition.votes > 1 ? `, ${definition.votes} votes` : ''}${definition.swap ? ', both orders' : ''}`
    case 'embedding':
      return `${measureWords[definition.measure]} ${boundOf(definition)} ${definition.threshold}`
    case 'remote':
      return 'HTTP scorer'
    case 'composite':
      return `${definition.operation} of ${definition.parts.length}`
  }
}

/** Which side of the threshold passes. */
function boundOf({ measure, negated }: Pick<Extract<EvaluatorDefinition, { kind: 'embedding' }>, 'measure' | 'negated'>): string {
  if (measure === 'euclidean') return negated ? 'above' : 'at most'
  return negated ? 'below' : 'at least'
}
