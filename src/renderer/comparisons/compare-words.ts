import type { ComparabilityCheck, Difference, TaskChange } from '../../contract/index.ts'
import { formatNumber, noNumber } from '../../lib/format/numbers.ts'
import type { Status } from '../ui/values/statuses.ts'

export const verdicts: Readonly<Record<Difference['verdict'], Status>> = {
  better: { word: 'Better', tone: 'pass' },
  worse: { word: 'Worse', tone: 'fail' },
  not_shown: { word: 'Not shown', tone: 'neutral' },
  not_tested: { word: 'Not tested', tone: 'neutral' },
}

export const taskChangeWords: Readonly<Record<TaskChange, Status>> = {
  gained: { word: 'Gained', tone: 'pass' },
  lost: { word: 'Lost', tone: 'fail' },
  both_passed: { word: 'Both correct', tone: 'neutral' },
  both_failed: { word: 'Neither correct', tone: 'neutral' },
  not_compared: { word: 'Not compared', tone: 'warn' },
}

export const checkWords: Readonly<Record<ComparabilityCheck['check'], string>> = {
  benchmark_version: 'Benchmark version',
  task_content: 'Task content',
  prompt: 'Prompt',
  scorer: 'Scorer',
  generation: 'Generation settings',
  coverage: 'Coverage',
  epochs: 'Epochs',
  model: 'Model',
  outcome: 'Outcome',
}

export const testWords: Readonly<Record<NonNullable<Difference['test']>, string>> = {
  mcnemar_exact: 'McNemar, exact',
  permutation_exact: 'permutation, exact',
  paired_t: 'paired t',
  cr1_t: 'clustered t',
  paired_bootstrap: 'paired bootstrap',
}

/** A p-value with three decimals; one that they would show as nothing says what it is below. */
export function formatP(p: number | null): string {
  if (p === null) return noNumber
  return p < 0.001 ? '< 0.001' : formatNumber(p, 3)
}
