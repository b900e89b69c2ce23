import type { OperationId } from '../../contract/api.ts'

interface Announcement {
  /** Grows, so that the same words are announced again. */
  readonly number: number
  readonly text: string
}

/** What a screen reader is told when an operation is done that shows no message of its own. */
const outcomes: Readonly<Partial<Record<OperationId, string>>> = {
  addWorkloadSource: 'Cases added',
  analyzeEvidence: 'Analysis ready',
  approveTuneSession: 'Draft approved',
  backfillTraces: 'Backfill started',
  cancelReleaseDecision: 'Decision cancelled',
  cancelTuneSession: 'Session cancelled',
  changeAnnotations: 'Bookmark and tags saved',
  changeNote: 'Note saved',
  createApiKey: 'API key created',
  createCalibration: 'Calibration started',
  createComparison: 'Comparison created',
  createDataset: 'Dataset created',
  createDatasetBenchmark: 'Benchmark created',
  createDatasetVersion: 'Version created',
  createEnvironment: 'Environment saved',
  createEvaluator: 'Evaluator created',
  createEvaluatorDraft: 'Draft started',
  createEvidence: 'Evidence imported',
  createNote: 'Note saved',
  createReleaseDecision: 'Decision planned',
  createReleaseLabel: 'Verdict saved',
  createReleasePolicy: 'Policy saved',
  createReleaseSuite: 'Suite saved',
  createSuite: 'Suite saved',
  createTuneMonitor: 'Monitor created',
  createTuneMonitorEvent: 'Check started',
  createTuneQuote: 'Quote ready',
  createTuneSession: 'Draft created',
  deleteNote: 'Note deleted',
  inviteMember: 'Member invited',
  patchTuneDraft: 'Draft saved',
  patchTuneMonitor: 'Monitor changed',
  removeMember: 'Member removed',
  retryFailed: 'Retry started',
  retrySamples: 'Retry started',
  reviewExample: 'Review saved',
  reviseExample: 'Example saved',
  setBackupSchedule: 'Schedule saved',
  setKeyCeiling: 'Spending limit saved',
  startTuneGroup: 'Run group started',
  updateDataset: 'Dataset saved',
}

let last: Announcement = { number: 0, text: '' }
const listeners = new Set<() => void>()

export function announce(text: string): void {
  last = { number: last.number + 1, text }
  for (const listen of listeners) listen()
}

export function announceOutcome(operation: OperationId): void {
  const text = outcomes[operation]
  if (text !== undefined) announce(text)
}

export const announcements = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  read: (): Announcement => last,
}
