import { setImmediate as nextTurn } from 'node:timers/promises'
import type { QuoteRequest } from '../../contract/quotes/quotes.schemas.ts'
import { isCharged, type TokenRates } from '../../engine/clients/pricing/pricing.ts'
import { sampleUpperBound } from '../../engine/execution/samples/sample-bound.ts'
import { callSettings } from '../../engine/execution/samples/sample-request.ts'
import type { Catalog } from '../catalog/catalog.types.ts'
import type { FrozenSelection } from './select-tasks.ts'

/** Prompts rendered in one turn of the event loop: a few milliseconds' worth. */
const chunk = 50

/** Micro-USD. */
export interface CostBound {
  /** Sum over all samples of what each can cost at most. */
  readonly run: bigint
  /** Of the most expensive sample. */
  readonly sample: bigint
}

/** What a run over these selections can cost at most: every frozen prompt is rendered and bounded as the scheduler will reserve for it. */
export async function boundCost(
  selections: readonly FrozenSelection[],
  { epochs, effort, max_attempts }: QuoteRequest['execution'],
  rates: TokenRates | null,
  catalog: Catalog,
): Promise<CostBound> {
  let run = 0n
  let sample = 0n
  if (!isCharged(rates)) return { run, sample }
  for (const { definition, promptRecipe, generation, tasks } of selections) {
    const settings = { promptRecipe, generation, ...callSettings(definition) }
    for (let from = 0; from < tasks.length; from += chunk) {
      for (const task of catalog.tasks(tasks.slice(from, from + chunk).map(({ no }) => no))) {
        const bound = sampleUpperBound(settings, task, { effort, maxAttempts: max_attempts }, rates)
        run += bound * BigInt(epochs)
        if (bound > sample) sample = bound
      }
      await nextTurn()
    }
  }
  return { run, sample }
}
