import type { FoundTask, PastResult } from './recommendation-source.ts'
import type { Candidate } from './select-tasks.ts'
import { separationByTask } from './separation.ts'

/** Micro-USD per million tokens. */
export interface TokenRates {
  readonly input: number
  readonly output: number
}

type Known = Pick<Candidate, 'separation' | 'cost'>

/** What past results say of each task: how well it separates models, and what a pass of these models over it would cost. */
export function readPastResults(
  tasks: readonly FoundTask[],
  results: readonly PastResult[],
  rates: readonly TokenRates[],
): (task: FoundTask) => Known {
  const versionOf = new Map(tasks.map(task => [task.no, task.versionNo]))
  // Overall scores are of one benchmark: those of another say nothing about this one.
  const separations = new Map(
    [...Map.groupBy(results, result => versionOf.get(result.taskNo))].flatMap(([, own]) => [...separationByTask(own)]),
  )
  const costs = new Map([...Map.groupBy(results, result => result.taskNo)].map(([taskNo, own]) => [taskNo, costOf(own, rates)]))
  const typical = new Map(
    [...Map.groupBy(tasks, task => task.versionNo)].map(([versionNo, own]) => [
      versionNo,
      mean(own.flatMap(task => costs.get(task.no) ?? [])),
    ]),
  )
  return ({ no, versionNo }) => ({ separation: separations.get(no) ?? null, cost: costs.get(no) ?? typical.get(versionNo) ?? null })
}

/** Null without a model to pay for, or a past count of tokens. */
function costOf(results: readonly PastResult[], rates: readonly TokenRates[]): number | null {
  const input = mean(results.flatMap(({ inputTokens }) => inputTokens ?? []))
  const output = mean(results.flatMap(({ outputTokens }) => outputTokens ?? []))
  if (input === null || output === null || rates.length === 0) return null
  return rates.reduce((sum, rate) => sum + (input * rate.input + output * rate.output) / 1_000_000, 0)
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}
