import { countIn, type Json, textIn } from './read-reply.ts'
import type { BackfillPlace } from './trace-adapter.ts'

/** A trace's runs are requested by their start: from so long before its root began until so long after it ended, in milliseconds. */
export const marginMs = 24 * 3_600_000
const widerMarginMs = 30 * marginMs

export function shifted(time: string, ms: number): string {
  return new Date(Date.parse(time) + ms).toISOString()
}

type Pending = BackfillPlace['pending'][number]

/** LangSmith states no number of runs: some are missing where a run's parent is, or where the tokens do not add up to the root's. */
export function isShort(runs: readonly Json[], trace: Pending | undefined): boolean {
  if (trace === undefined || trace.isWidened) return false
  const ids = new Set<unknown>([trace.id, ...runs.map(run => run['id'])])
  const parents = new Set(runs.flatMap(parentsOf))
  if ([...parents].some(parent => !ids.has(parent))) return true
  const leaves = runs.filter(run => !parents.has(run['id']) && run['id'] !== trace.id)
  return trace.tokens !== undefined && leaves.reduce((sum, run) => sum + tokensOf(run), 0) < trace.tokens
}

/** A model call that is a root has tokens of its own. */
export function tokensBelow(root: Json): Pick<Pending, 'tokens'> {
  const tokens = countIn(root['total_tokens'])
  return tokens === null || textIn(root['run_type'])?.toUpperCase() === 'LLM' ? {} : { tokens }
}

function parentsOf(run: Json): unknown[] {
  return Array.isArray(run['parent_run_ids']) ? run['parent_run_ids'] : []
}

function tokensOf(run: Json): number {
  return countIn(run['total_tokens']) ?? (countIn(run['prompt_tokens']) ?? 0) + (countIn(run['completion_tokens']) ?? 0)
}

/** The same trace once more; what was read already is recognized. */
export function widened(place: BackfillPlace): BackfillPlace {
  const [trace, ...others] = place.pending
  if (trace === undefined) return place
  const wider = { ...trace, from: shifted(trace.from, -widerMarginMs), to: shifted(trace.to, widerMarginMs), isWidened: true }
  return { ...place, pending: [wider, ...others] }
}
