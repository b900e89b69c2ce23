import type { FoundTask, PastResult } from './recommendation-source.ts'
import type { Candidate } from './select-tasks.ts'
import { separationByTask } from './separation.ts'

/** Micro-USD per million tokens. */
export interface TokenRates {
  readonly input: number
  readonly output: number
}

type Known = Pick<Candidate, 'separation' | 'cost'>

/**
 * What past results say of each task: how well it separates models, and what a pass of these models over it would cost.
 * @param judged identities of the models that are to be evaluated: their own results say nothing about which tasks to choose
 */
export function readPastResults(
  tasks: readonly FoundTask[],
  results: readonly PastResult[],
  rates: readonly (TokenRates | null)[],
  judged: ReadonlySet<string>,
): (task: FoundTask) => Known {
  const versionOf = new Map(tasks.map(task => [task.no, task.versionNo]))
  // Overall scores are of one benchmark: those of another say nothing about this one.
  const separations = new Map(
    [...Map.groupBy(othersThan(judged, results), result => versionOf.get(result.taskNo))].flatMap(([, own]) => [...separationByTask(own)]),
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

export function othersThan(judged: ReadonlySet<string>, results: readonly PastResult[]): PastResult[] {
  return results.filter(({ identity }) => !judged.has(identity))
}

/** Null without a model to pay for, with one whose rates are not known, or without a past count of tokens. */
function costOf(results: readonly PastResult[], rates: readonly (TokenRates | null)[]): number | null {
  const input = mean(results.flatMap(({ inputTokens }) => inputTokens ?? []))
  const output = mean(results.flatMap(({ outputTokens }) => outputTokens ?? []))
  if (input === null || output === null || rates.length === 0) return null
  const costs = rates.map(rate => rate && (input * rate.input + output * rate.output) / 1_000_000)
  return costs.some(cost => cost === null) ? null : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0)
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}
