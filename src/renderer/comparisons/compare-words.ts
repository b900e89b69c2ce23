import type { ComparabilityCheck, Difference, TaskChange } from '../../contract/comparisons/comparisons.schemas.ts'
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
